# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pty
import subprocess

from program import ENVIRONMENT, PROGRAM, ProgramTest, main, without_warning


class RunProgram(ProgramTest):
    def test_success(self):
        self.assertEqual(self.assert_runs(), "done\n")

    def test_errors_are_one_line_and_an_exit_code(self):
        self.assert_refuses(["early_bad_input"], "needs more")
        self.assert_fails(["bad_input"], "needs more", 2)
        self.assert_fails(["wrong_answer"], "element 3 is 1, expected 2", 1)
        self.assert_fails(["bad_alloc"], "out of memory: std::bad_alloc", 2)
        self.assert_fails(["onetrip_error"], "onetrip::recorder: a rule is broken", 1)

    def test_a_view_too_large_tells_its_size(self):
        sanitizer = ENVIRONMENT.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1"
        run = self.run_program("huge_view", env={**ENVIRONMENT, "ASAN_OPTIONS": sanitizer})
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        # A sanitizer adds lines of its own.
        self.assertRegex(run.stderr.splitlines()[-1], r'^program_probe: .*failed to allocate 1.049e\+06 TiB.*"huge"')

    def test_help_and_version_go_to_stdout(self):
        self.assertRegex(self.assert_runs("--version"), r"^program_probe \d+\.\d+\.\d+\n$")
        help_text = self.assert_runs("--help")
        self.assertTrue(help_text.startswith("Does as told."), help_text)
        self.assertIn("--kokkos-help", help_text)

    def test_unknown_flags(self):
        self.assert_fails(["--foo"], "The following argument was not expected: --foo")

    def test_kokkos_flags(self):
        self.assert_runs("--kokkos-disable-warnings", "--kokkos-num-threads=1")
        self.assert_runs("--kokkos-print-configuration=FALSE", "--kokkos-device-id=0", "--kokkos-tune-internals=no")
        for flag in (
            "foo num-threadsx=1 num-threads num-threads= num-threads=0 num-threads=-1 num-threads=x num-threads=2^3 "
            "num-threads=513 device-id=x disable-warnings=maybe map-device-id-by=x tools-libs tools-libs= help=1"
        ).split():
            flag = "--kokkos-" + flag
            self.assert_refuses(["--kokkos-num-threads=1", flag], f"Kokkos does not take '{flag}' (--kokkos-help lists its flags)")

    def test_help_of_kokkos(self):
        text = self.assert_runs("--kokkos-help")
        self.assertIn("--kokkos-num-threads", text)
        self.assertNotIn("done", text)

    def test_stdout_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([PROGRAM], stdout=full, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.assertEqual((run.returncode, without_warning(run.stderr)), (2, "program_probe: cannot write to stdout\n"))


class Progress(ProgramTest):
    def test_none_in_a_pipe(self):
        self.assertEqual(self.assert_runs("progress"), "done\n")

    def seen_on_a_terminal(self, kind):
        ours, theirs = pty.openpty()
        env = {**ENVIRONMENT, "TERM": kind}
        subprocess.run([PROGRAM, "progress"], stdout=subprocess.DEVNULL, stderr=theirs, env=env, check=True)
        os.write(theirs, b"end")
        seen = os.read(ours, 4096).decode()
        os.close(theirs)
        os.close(ours)
        return without_warning(seen).removesuffix("end")

    def test_none_where_a_line_cannot_be_cleared(self):
        for kind in ["dumb", ""]:
            self.assertEqual(self.seen_on_a_terminal(kind), "")

    def test_one_line_on_a_terminal_and_cleared(self):
        texts = ["in time", "steps, 0%", "steps, 1%", "steps, 0%", ""]
        self.assertEqual(self.seen_on_a_terminal("xterm").split("\r\033[K"), ["", *texts])


if __name__ == "__main__":
    main()
