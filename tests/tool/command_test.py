# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from ledgers import COMMAND, FINDING, HEAT1D, CommandTest, ledger

COUNTS = [(0.5, [[0, 2, 1600, 0.1], [2, 1, 0, 0]]), (1.5, [[0, 4, 3200, 0.2], [1, 4, 3200, 0.1], [2, 3, 0, 0], [3, 5, 400, 0]])]
WHOLE = ledger(COUNTS, findings=[{**FINDING, "count": 1}, FINDING], peaks={"Cuda": 1500, "Host": 100010})

# A stand-in for a Kokkos program under the tool: writes the ledger that it finds beside it where ONETRIP_LEDGER says.
PROGRAM = """
import os, re, signal, sys, time
libraries = os.environ["KOKKOS_TOOLS_LIBS"].split(";")
assert os.path.basename(libraries[0]).startswith("libonetrip_ledger."), libraries
open("seen", "w").write(os.environ["ONETRIP_LEDGER"] + " " + ";".join(libraries[1:]))
name = dict(word.split("=") for word in os.environ["ONETRIP_LEDGER"].split(",") if "=" in word)["json"]
rank = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
own = {"%r": rank, "%h": os.uname().nodename, "%p": str(os.getpid()), "%%": "%"}
name = re.sub("%[rhp%]", lambda found: own[found[0]], name)
if "nothing" not in sys.argv:
    text = open(sys.argv[1]).read().replace('"rank": 0', '"rank": ' + rank)
    open(name, "w").write(text)
if "killed" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
if "wait" in sys.argv:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
    print("waits", flush=True)
    time.sleep(60)
sys.exit(int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 0)
"""

# mpirun, as far as the command sees it.
LAUNCHER = """
import os, subprocess, sys
count = int(sys.argv[1])
ranks = [{**os.environ, "OMPI_COMM_WORLD_RANK": str(i), "OMPI_COMM_WORLD_SIZE": str(count)} for i in range(count)]
sys.exit(max([process.wait() for process in [subprocess.Popen(sys.argv[2:], env=env) for env in ranks]]))
"""


class Run(CommandTest):
    def setUp(self):
        super().setUp()
        self.file("program.py", PROGRAM)
        self.file("launcher.py", LAUNCHER)
        self.file("whole", WHOLE)
        self.program = [sys.executable, "-S", "program.py", "whole"]

    def tearDown(self):
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_the_gate(self):
        for arguments, reasons in [
            ([], []),
            (["--budget", "to-device=4", "--budget=to-host=4", "--budget=transfers=8", "--budget=transfers-bytes=6.4kB"], []),
            (["--budget", "kernels=3", "--budget=fences=0", "--budget=allocations-bytes=0", "--budget=peak:Cuda=1.5kB"], []),
            (["--budget", "to-device=3", "--budget=kernels=2"],
             ["to-device: 4; the budget is 3", "kernels: 3; the budget is 2"]),
            (["--budget", "to-device-bytes=3.199kB"], ["to-device-bytes: 3200 B; the budget is 3199 B"]),
            (["--budget", "to-host-bytes=3KiB"], ["to-host-bytes: 3200 B, an upper bound; the budget is 3072 B"]),
            (["--budget", "transfers=7"], ["transfers: 8; the budget is 7"]),
            (["--budget", "aliases=4", "--budget=aliases-bytes=399"],
             ["aliases: 5; the budget is 4", "aliases-bytes: 400 B; the budget is 399 B"]),
            (["--budget", "peak:Cuda=1499"], ["peak:Cuda: 1500 B; the budget is 1499 B"]),
            (["--budget", "peak:cuda=1GB"], ["peak:cuda: nothing was allocated in a space of this name (spaces: Cuda, Host)"]),
            (["--fail=PROVEN"], []),
            (["--fail=LIKELY"], ['DM02 LIKELY "u" (Cuda) from "u_host" (Host) in solve/step: goes back and forth '
                                 "(saves 6 events, 4.8 kB)"]),
        ]:
            with self.subTest(arguments):
                self.assert_says(self.command("run", *arguments, "--", *self.program), 3 if reasons else 0, *reasons)

    def test_the_programs_own_status_goes_first(self):
        gate = ["run", "--budget", "to-device=0", "--"]
        self.assert_says(self.command(*gate, *self.program, "5"), 5)
        self.assert_says(self.command(*gate, *self.program, "killed"), 128 + 9)
        self.assert_says(self.command("run", "./none"), 127, "./none: No such file or directory")
        self.assert_says(self.command("run", "./whole"), 126, "./whole: Permission denied")

    def test_no_whole_ledger_is_no_pass(self):
        none = "no ledger was written: the program ran no Kokkos, or one that takes no tools"
        self.assert_says(self.command("run", "--", *self.program, "nothing"), 4, none)
        self.file("whole", ledger(COUNTS, end=False))
        endless = "the ledger has no end: the program turned it off, or left without an exit"
        self.assert_says(self.command("run", *self.program), 4, endless)
        self.file("whole", WHOLE + "{")
        self.assert_says(self.command("run", *self.program), 0)
        self.file("whole", WHOLE + "?\n")
        run = self.command("run", *self.program)
        self.assertEqual(run.returncode, 4)
        self.assertRegex(run.stderr, r"^onetrip-ledger: \S+\.jsonl:13: not a JSON object\n$")

    def test_what_the_user_has_set_stays(self):
        run = self.command("run", *self.program, KOKKOS_TOOLS_LIBS="a.so;b.so", ONETRIP_LEDGER="contents=full")
        self.assert_says(run, 0)
        self.assertRegex((self.folder / "seen").read_text(), r"^contents=full,json=\S+/%r\.%h\.%p\.jsonl a\.so;b\.so$")
        self.assert_says(self.command("run", *self.program, ONETRIP_LEDGER="json=x%r.jsonl"), 0)
        self.assertEqual((self.folder / "x0.jsonl").read_text(), WHOLE)

    def test_a_named_file_is_kept_and_old_ones_are_not_read(self):
        old = ledger([(1, [[0, 9, 1, 0]])])
        for name in ("l%.1.jsonl", "l%.jsonl"):
            self.file(name, old)
        run = self.command("run", "--budget=transfers=8", "--json=l%%.%p.jsonl", "--", *self.program)
        self.assert_says(run, 0)
        self.assertEqual((self.folder / "l%.1.jsonl").read_text(), old)
        self.assertEqual(len([name for name in os.listdir(self.folder) if name.startswith("l%")]), 3)
        self.assert_says(self.command("run", "--json", "a,b", *self.program), 2,
                         f"{self.folder.resolve()}/a,b: the tool's settings can't hold a name with a comma")

    def test_keep(self):
        run = self.command("run", "--keep", *self.program)
        self.assertEqual(run.returncode, 0)
        kept = run.stderr.removeprefix("onetrip-ledger: the ledger is in ").strip()
        (file,) = os.listdir(kept)
        self.assertEqual(Path(kept, file).read_text(), WHOLE)
        os.remove(os.path.join(kept, file))
        os.rmdir(kept)

    def test_ranks(self):
        breach = "kernels: 3; the budget is 2"
        self.file("whole", WHOLE.replace('"ranks": null', '"ranks": 2'))
        launch, run = [sys.executable, "launcher.py", "2"], [sys.executable, COMMAND, "run"]
        for json_option in ([], ["--json=all.%r.jsonl"]):
            for inner, outer in ([], run), (run, []):
                with self.subTest(within=bool(inner), json=bool(json_option)):
                    options = [*json_option, "--budget=kernels=2", "--"]
                    words = [*outer, *options, *launch, *self.program] if outer else [*launch, *inner, *options, *self.program]
                    found = subprocess.run(words, capture_output=True, text=True, cwd=self.folder, env=self.environment())
                    self.assertEqual(sorted(found.stderr.splitlines()), [f"onetrip-ledger: rank {i}: {breach}" for i in (0, 1)])
                    self.assertEqual(found.returncode, 3)
        self.assert_says(self.command("run", *self.program), 4,
                         "1 of 2 ranks wrote a ledger here: start one run for each, or give --json a name with %r")
        self.assert_says(self.command("run", *self.program, SLURM_PROCID="0", SLURM_STEP_ID="0"), 0)

    def test_signals_are_passed_on(self):
        run = subprocess.Popen([sys.executable, COMMAND, "run", *self.program, "wait"], stdout=subprocess.PIPE, cwd=self.folder,
                               env=self.environment())
        self.assertEqual(run.stdout.readline(), b"waits\n")
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(30), 7)
        run.stdout.close()

    def test_a_terminals_interrupt_comes_once(self):
        counting = "import signal, time; n = []; signal.signal(2, lambda *_: n.append(1)); print('waits', flush=True); time.sleep(0.7); print(len(n), flush=True)"
        main, terminal = os.openpty()
        login = "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
        run = subprocess.Popen([sys.executable, "-c", login, COMMAND, "run", sys.executable, "-c", counting], stdin=terminal,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment())
        self.assertEqual(run.stdout.readline(), b"waits\n")
        os.write(main, b"\x03")
        self.assertEqual((run.stdout.readline(), run.wait(30)), (b"1\n", 4))
        for end in (main, terminal):
            os.close(end)
        run.stdout.close()

    def test_wrong_options(self):
        for words, line in [
            ([], "run: no program"),
            (["--budget", "todevice=1", "x"], "--budget todevice=1: not KIND=LIMIT with one of to-device, to-host, transfers, aliases, "
             "kernels, fences, allocations, to-device-bytes, to-host-bytes, transfers-bytes, aliases-bytes, allocations-bytes, peak:SPACE"),
            (["--budget", "kernels=1kB", "x"], "--budget kernels=1kB: the limit is no whole number"),
            (["--budget", "transfers-bytes=1mb", "x"], "--budget transfers-bytes=1mb: the limit is no size like 1500, 1.5MB or 4GiB"),
        ]:
            self.assert_says(self.command("run", *words), 2, line)
        run = self.command("run", "--fail=SURE", "x")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"^onetrip-ledger run: argument --fail: invalid choice: 'SURE'[^\n]*\n$")


class Files(CommandTest):
    def setUp(self):
        super().setUp()
        self.file("whole", WHOLE)

    def test_refusals(self):
        start = WHOLE.splitlines()[0]
        for name, content, line in [
            ("none", None, "none: No such file or directory"),
            ("tmp", None, "tmp: Is a directory"),
            ("empty", "", "empty: empty"),
            ("text", "hello\n", "text: not a ledger: its first line is no start of one"),
            ("list", "[]\n", "list: not a ledger: its first line is no start of one"),
            ("cut", start[:40], "cut: not a ledger: its first line is no start of one"),
            ("later", start.replace('"schema": 1', '"schema": 2'), "later: of schema 2, and this onetrip-ledger reads 1"),
            ("two", WHOLE + WHOLE, "two:13: a second process begins here: each needs a file of its own, by %r or %p in its name"),
            ("broken", f"{start}\n{{\n{start}\n", "broken:2: not a JSON object"),
            ("unknown", f'{start}\n{{"type": "counts", "t": 1, "rows": [[3, 1, 1, 1]]}}\n', "unknown:2: not a line of schema 1"),
            ("negative", WHOLE.replace("[3, 5, 400, 0]", "[3, -5, 400, 0]"), "negative:7: not a line of schema 1"),
            ("deep", start + "\n" + "[" * 100_000 + "\n", "deep:2: not a JSON object"),
        ]:
            with self.subTest(name):
                if content is not None:
                    self.file(name, content)
                self.assert_says(self.command("diff", "whole", name), 2, line)

    def test_a_killed_run(self):
        killed = "".join(WHOLE.splitlines(True)[:7]) + '{"type": "cou'
        self.file("killed", killed)
        run = self.command("diff", "killed", "killed")
        words = "killed: ends, in the middle of a line, before its program did: totals are those up to there"
        self.assert_says(run, 0, words, words)

    def test_diff(self):
        self.assert_says(self.command("diff", "whole", "whole"), 0)
        other = [{**FINDING, "id": "DM05", "finding": 4, "label": 'u"\x1b[1m'}]
        self.file("after", ledger([(1.5, [[0, 1, 800, 9.0], [1, 4, 3199, 0.1], [2, 3, 0, 0], [3, 5, 400, 0]])], findings=other,
                                  peaks={"Cuda": 1500, "Host": 100012}))
        run = self.command("diff", "whole", "after")
        self.assert_says(run, 1)
        found = 'from "u_host" (Host) in solve/step: goes back and forth'
        self.assertEqual(run.stdout.splitlines(), [
            "totals",
            "  4 -> 1, 3.2 kB -> 800 B  transfer to device",
            "  4 -> 4, 3.2 kB -> 3.199 kB  transfer to host",
            "rows",
            '  4 -> 1, 3.2 kB -> 800 B  transfer to device "u" (Cuda) from "u_host" (Host) in solve/step',
            '  4 -> 4, 3.2 kB -> 3.199 kB  transfer to host "u_host" (Host) from "u" (Cuda), an upper bound',
            "peaks",
            "  100010 B -> 100012 B  Host",
            "findings",
            f'  gone  DM02 LIKELY "u" (Cuda) {found}',
            f'  new   DM05 LIKELY "u\\"\\x1b[1m" (Cuda) {found}',
        ])
        self.file("surer", WHOLE.replace("LIKELY", "PROVEN"))
        self.assertEqual(self.command("diff", "whole", "surer").stdout,
                         f'findings\n  was   LIKELY, 8 events, 6.4 kB; is 8 events, 6.4 kB: DM02 PROVEN "u" (Cuda) {found}\n')

    def test_merge(self):
        second = ledger([(3.5, [[0, 7, 5600, 0.5]])], rank=1, rows=[{"kind": "kernel", "label": "step", "region": "solve/step"}],
                        findings=[FINDING], peaks={"Cuda": 1600, "Host": 9})
        self.file("second", second)
        self.assert_says(self.command("merge", "whole", "second", "-o", "both"), 0)
        lines = [json.loads(line) for line in (self.folder / "both").read_text().splitlines()]
        of = {kind: [line for line in lines if line["type"] == kind] for kind in ("start", "counts", "memory", "finding", "spread", "end")}
        self.assertEqual((of["start"][0]["merged"], of["start"][0]["program"], of["start"][0]["rank"]), (2, "heat1d", None))
        self.assertEqual(of["counts"][0]["rows"], [[0, 4, 3200, 0.2], [1, 4, 3200, 0.1], [2, 10, 5600, 0.5], [3, 5, 400, 0]])
        self.assertEqual(of["spread"][2]["count"], {"min": 3, "min_rank": 0, "max": 7, "max_rank": 1})
        self.assertEqual(of["spread"][0]["bytes"], {"min": 0, "min_rank": 1, "max": 3200, "max_rank": 0})
        self.assertEqual([(m["space"], m["peak"], m["rank"]) for m in of["memory"]], [("Cuda", 1600, 1), ("Host", 100010, 0)])
        (finding,) = of["finding"]
        self.assertEqual([finding[name] for name in ("count", "bytes_saved", "ranks")], [16, 9600, 2])
        self.assertEqual((of["end"][0]["events"], of["end"][0]["finalized"]), (32, True))
        self.assertEqual(self.command("diff", "both", "both").returncode, 0)

        self.assert_says(self.command("merge", "whole", "both", "-o", "x"), 2, "both: merged already")
        self.assert_says(self.command("merge", "whole", "whole", "-o", "x"), 2, "whole and whole are both of rank 0")
        self.assert_says(self.command("merge", "whole", "second", "-o", "second"), 2, "second: is read, and can't be written as well")
        self.assertEqual((self.folder / "second").read_text(), second)
        self.assertFalse((self.folder / "x").exists())

    def test_help_and_info(self):
        for words in ([], ["run"], ["diff"], ["merge"], ["html"], ["info"]):
            run = self.command(*words, "--help")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertTrue(run.stdout.startswith("usage: onetrip-ledger"))
        sanitizers = "verify_asan_link_order=0:detect_leaks=0"  # which Python hasn't, where the library has
        run = self.command("info", ONETRIP_LEDGER="contents=full", ASAN_OPTIONS=sanitizers)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for words in [r"onetrip-ledger: +\d+\.\d+\.\d+, reads schema 1", r"library: +\S+, loads", "interface: +20240906", r"Python: +3\.",
                      "plotly: ", "platform: ", "ONETRIP_LEDGER: +contents=full"]:
            self.assertRegex(run.stdout, words)
        self.assertEqual(self.command().returncode, 2)


@unittest.skipUnless(HEAT1D, "no heat1d")
class Heat1d(CommandTest):
    """A program under the tool itself. It runs each variant twice, of which one is timed; device= lets Views play the
    device's where there is none."""

    def heat1d(self, variant):
        return [str(HEAT1D), "--cells=2^10", "--steps=5", "--repeat=1", f"--variant={variant}"]

    def environment(self, **more):
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
        return {**super().environment(ONETRIP_LEDGER="device=*device_*,summary=none"), **root, **more}

    def said(self, run):
        return [line.removeprefix("onetrip-ledger: ") for line in run.stderr.splitlines() if line.startswith("onetrip-ledger: ")]

    def test_its_trips(self):
        budgets = ["--budget=to-device=20", "--budget=to-host=20", f"--budget=transfers-bytes={40 * 8 * 1024}", "--budget=kernels=10"]
        run = self.command("run", *budgets, "--json=mirror", "--", *self.heat1d("mirror"))
        self.assertEqual((run.returncode, self.said(run)), (0, []))
        run = self.command("run", "--budget=to-host=19", "--budget=to-device-bytes=160kB", "--", *self.heat1d("mirror"))
        self.assertEqual(self.said(run), ["to-host: 20; the budget is 19", "to-device-bytes: 163840 B; the budget is 160000 B"])
        self.assertEqual(run.returncode, 3)
        run = self.command("run", "--fail=LIKELY", "--", *self.heat1d("mirror"))
        self.assertEqual(run.returncode, 3)
        self.assertRegex("\n".join(self.said(run)), '^DM02 LIKELY "heat1d::mirror::device_')
        run = self.command("run", "--fail=LIKELY", "--budget=transfers=4", "--json=resident", "--", *self.heat1d("resident"))
        self.assertEqual((run.returncode, self.said(run)), (0, []))
        diff = self.command("diff", "mirror", "resident")
        self.assertEqual((diff.returncode, diff.stderr), (1, ""))
        self.assertIn("  20 -> 2, 163.8 kB -> 16.38 kB  transfer to device\n", diff.stdout)

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_under_mpirun(self):
        launch, run = ["mpirun", "-n", "2"], [sys.executable, COMMAND, "run", "--budget=transfers=39", "--json=l.%r", "--"]
        for words in [*run, *launch], [*launch, *run]:
            found = subprocess.run([*words, *self.heat1d("mirror")], capture_output=True, text=True, cwd=self.folder, env=self.environment())
            said = self.said(found)
            self.assertEqual(found.returncode, 3)
            self.assertIn(f"rank {said[0][5]}: transfers: 40; the budget is 39", said)
            if words[0] != "mpirun":  # which ends all once one has failed
                self.assertEqual(len(said), 2)
        self.assert_says(self.command("merge", "l.0", "l.1", "-o", "both"), 0)
        self.assertEqual(self.command("diff", "both", "both").returncode, 0)


if __name__ == "__main__":
    unittest.main()
