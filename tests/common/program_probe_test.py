# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pty
import subprocess
import time

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
    LONG_ENOUGH = 2.5  # seconds: the line would have been drawn

    def test_none_in_a_pipe(self):
        with subprocess.Popen(
            [PROGRAM, "progress"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT
        ) as run:
            time.sleep(self.LONG_ENOUGH)
            _, seen = run.communicate()
        self.assertEqual((run.returncode, without_warning(seen.decode())), (0, ""))

    def seen_on_a_terminal(self, kind, first=None):
        """What the program writes there, if it goes on once `first` is seen, or after a while."""
        ours, theirs = pty.openpty()
        seen = b""

        def read_until(text):
            nonlocal seen
            while text not in seen:
                seen += os.read(ours, 4096)

        env = {**ENVIRONMENT, "TERM": kind}
        with subprocess.Popen(
            [PROGRAM, "progress"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs, env=env
        ) as run:
            if first:
                read_until(first)
            else:
                time.sleep(self.LONG_ENOUGH)
        self.assertEqual(run.returncode, 0)
        os.write(theirs, b"end")
        read_until(b"end")
        os.close(theirs)
        os.close(ours)
        return without_warning(seen.decode()).removesuffix("end")

    def test_none_where_a_line_cannot_be_cleared(self):
        for kind in ["dumb", ""]:
            self.assertEqual(self.seen_on_a_terminal(kind), "")

    def test_one_line_on_a_terminal_and_cleared(self):
        texts = ["in time", "steps, 0%", "steps, 1%", "steps, 0%", ""]
        self.assertEqual(self.seen_on_a_terminal("xterm", b"in time").split("\r\033[K"), ["", *texts])


if __name__ == "__main__":
    main()
