# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/bench, in a checkout of its own whose benches are scripts."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from results import TOP, ResultsTest, repetitions

SUM = "fusion/scaled_sum/{}/double/1024".format
STEP = "heat1d/step/{}/double/1024".format

# Writes the rows of this process, the time of which grows with its number, and ends as it is told to.
FAKE = """#!/usr/bin/env python3
import json, os, pathlib, sys, time
flags = dict(flag.split("=", 1) for flag in sys.argv[1:])
me = pathlib.Path(__file__)
with open(me.with_suffix(".calls"), "a") as calls:
    calls.write(" ".join(flags) + "\\n")
call = len(me.with_suffix(".calls").read_text().splitlines())
plan = json.loads(me.with_suffix(".json").read_text())
rows = [{**row, "real_time": row["real_time"] + plan.get("slower", 0) * (call - 1)} for row in plan["rows"]]
out = open(flags["--benchmark_out"], "w")
out.write(json.dumps({"context": plan.get("context", {}), "benchmarks": rows}, indent=1)[: plan.get("cut_off")])
out.flush()
if call == plan.get("bad_call"):
    print(plan["words"], file=sys.stderr, flush=True)
    time.sleep(plan.get("sleep", 0))
    if "signal" in plan:
        os.kill(os.getpid(), plan["signal"])
    sys.exit(plan.get("code", 0))
"""


class BenchTest(ResultsTest):
    def setUp(self):
        super().setUp()
        for file in ["tools/bench", "bench/rows.py"]:
            (self.folder / file).parent.mkdir(exist_ok=True)
            shutil.copy(TOP / file, self.folder / file)
        fusion = [*repetitions(SUM("raw"), [2, 2]), *repetitions(SUM("fused"), [4, 4])]
        self.fake("build/fake/bench/fusion_bench", rows=fusion, slower=1)
        self.fake("build/fake/bench/heat1d_bench", rows=repetitions(STEP("raw"), [6, 6], steps=2))
        self.fake("bench/peers/jax_rows.py", rows=repetitions(SUM("jax_jit"), [8]))
        self.fake("bench/peers/torch_rows.py", rows=repetitions(SUM("torch_eager"), [16]))

    def fake(self, path, **plan):
        script = self.folder / path
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(FAKE)
        script.chmod(0o755)
        script.with_suffix(".json").write_text(json.dumps(plan))

    def calls(self, path):
        calls = (self.folder / path).with_suffix(".calls")
        return len(calls.read_text().splitlines()) if calls.exists() else 0

    def bench(self, *arguments, **environment):
        python = ["--python", sys.executable] if "--peers" in arguments else []
        return self.run_tool(self.folder / "tools/bench", *arguments, *python, **environment)

    def results(self, file="build/bench.json"):
        return json.loads((self.folder / file).read_text())

    def rows(self):
        return [(row["name"].split("/")[2], row["process"], row["real_time"]) for row in self.results()["benchmarks"]]


class Runs(BenchTest):
    def test_processes_in_turn(self):
        run = self.bench("--build", "build/fake", "--processes", "3", "--peers")
        self.assertEqual(run.returncode, 0, run.stderr)
        ours = lambda p: [("raw", p, 2 + p)] * 2 + [("fused", p, 4 + p)] * 2 + [("raw", p, 6)] * 2
        peers = [("jax_jit", 0, 8), ("torch_eager", 0, 16)]
        self.assertEqual(self.rows(), [*ours(0), *peers, *ours(1), *ours(2)])
        context = self.results()["context"]
        self.assertEqual(context["command"].split()[:3], ["tools/bench", "--build", "build/fake"])
        parts = [("fusion_bench", 0), ("heat1d_bench", 0), ("jax_rows.py", 0), ("torch_rows.py", 0), ("fusion_bench", 1)]
        self.assertEqual([(c["part"], c["process"]) for c in context["contexts"]][:5], parts)
        # medians of the processes: raw 2, 3, 4; fused 4, 5, 6
        self.assertRegex(run.stdout, r"\nraw +- +3\.000 +2\.000 +4\.000 +66\.7% +- +1\.000 +- +-\n")
        self.assertRegex(run.stdout, r"\nfused +- +5\.000 +4\.000 +6\.000 +40\.0% +- +0\.600 +- +-\n")
        self.assertRegex(run.stdout, r"\njax_jit +- +8\.000 +8\.000 +8\.000 +- +- +0\.375 +- +-\n")

    def test_flags_reach_the_benches(self):
        self.bench("--build", "build/fake", "--processes", "1", "--sizes", "2^10,8", "--filter", "fused|raw")
        (call,) = (self.folder / "build/fake/bench/fusion_bench.calls").read_text().splitlines()
        self.assertEqual(sorted(call.split()), ["--benchmark_filter", "--benchmark_out", "--benchmark_out_format", "--sizes"])
        self.assertEqual(self.calls("bench/peers/jax_rows.py"), 0)

    def run_with(self, scripts, *arguments):
        """With these scripts in the checkout, those of bin/ as commands."""
        for path, text in scripts.items():
            (self.folder / path).parent.mkdir(exist_ok=True)
            (self.folder / path).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / path).chmod(0o755)
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return self.bench(*arguments, "--processes", "1", PATH=path, ONETRIP_KOKKOS_SOURCE="")

    def test_builds_what_find_kokkos_names(self):
        scripts = {"tools/find-kokkos": 'echo "$@" >found; echo fake', "bin/cmake": 'echo "$@" >>built'}
        run = self.run_with(scripts, "-DKokkos_ROOT=/k")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.folder / "found").read_text(), "-DKokkos_ROOT=/k\n")
        configured, built = (self.folder / "built").read_text().splitlines()
        self.assertEqual(configured, "--preset fake -DKokkos_ROOT=/k -DONETRIP_BUILD_TESTS=OFF")
        self.assertRegex(built, r"^--build --preset fake --parallel \d+ --target fusion_bench heat1d_bench$")

    def test_the_box_where_there_is_no_kokkos(self):
        (self.folder / "build/fake").rename(self.folder / "build/openmp")
        box = 'echo "$1 $2" >>boxed; shift; exec "$@"'
        run = self.run_with({"tools/find-kokkos": "", "bin/cmake": "", "tools/box": box})
        self.assertEqual(run.returncode, 0, run.stderr)
        commands = ["true", "cmake", "cmake", *(f"{self.folder}/build/openmp/bench/{b}_bench" for b in ("fusion", "heat1d"))]
        self.assertEqual((self.folder / "boxed").read_text().splitlines(), [f"openmp {command}" for command in commands])
        self.assertEqual(len(self.rows()), 6)

    def test_a_build_that_fails(self):
        run = self.run_with({"tools/find-kokkos": "echo fake", "bin/cmake": "echo words; exit 1"})
        failed = "bench: the build failed, see build/logs/bench-build.log"
        self.assertEqual((run.returncode, run.stderr.splitlines()[-1]), (1, failed))
        self.assertEqual((self.folder / "build/logs/bench-build.log").read_text(), "words\n")

    def test_files_where_asked(self):
        run = self.bench("--build", "build/fake", "--processes", "1", "--json", "new/a.json", "--markdown", "new/a.md")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(p.name for p in (self.folder / "new").iterdir()), ["a.json", "a.md"])
        self.assertFalse((self.folder / "build/bench.json").exists())


class Failures(BenchTest):
    def test_a_failing_bench(self):
        fails = {"bad_call": 2, "words": "first\nfusion_bench: wrong answer", "code": 1}
        self.fake("build/fake/bench/fusion_bench", rows=repetitions(SUM("raw"), [2]), **fails)
        run = self.bench("--build", "build/fake", "--processes", "3")
        line = "fusion_bench 1: exit code 1: fusion_bench: wrong answer (all of it: build/logs/bench-fusion_bench-1.log)"
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"bench: {line}\n", run.stderr)
        self.assertTrue(run.stdout.endswith(f"\nFAILED: {line}\n"), run.stdout)
        self.assertEqual(self.results()["context"]["errors"], [line])
        self.assertEqual(len(self.rows()), 3 + 6)  # the others went on

    def test_a_killed_bench_leaves_its_rows(self):
        fails = {"bad_call": 1, "words": "", "signal": signal.SIGKILL, "cut_off": 700}
        self.fake("build/fake/bench/fusion_bench", rows=repetitions(SUM("raw"), [2, 3, 5, 7, 11]), **fails)
        run = self.bench("--build", "build/fake", "--processes", "1")
        self.assertEqual(run.returncode, 1)
        self.assertIn("fusion_bench 0: ended by signal 9: ", run.stderr)
        self.assertEqual(self.rows(), [("raw", 0, ms) for ms in (2, 3, 5, 6, 6)])

    def test_a_wrong_answer(self):
        row = {"name": SUM("fused"), "run_type": "iteration", "error_occurred": True, "error_message": "off", "real_time": 0}
        self.fake("build/fake/bench/fusion_bench", rows=[row], bad_call=1, words="off", code=1)
        run = self.bench("--build", "build/fake", "--processes", "1")
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"\nFAILED: {SUM('fused')}: off\n", run.stdout)
        again = self.bench("--read", "build/bench.json")
        self.assertEqual((again.returncode, again.stdout), (1, run.stdout))

    def test_no_such_bench(self):
        (self.folder / "build/fake/bench/heat1d_bench").unlink()
        run = self.bench("--build", "build/fake", "--processes", "1")
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"heat1d_bench 0: {self.folder}/build/fake/bench/heat1d_bench: No such file or directory\n", run.stderr)
        self.assertEqual(len(self.rows()), 4)

    def test_not_installed(self):
        words = "jax: not installed (pip install jax)"
        self.fake("bench/peers/jax_rows.py", rows=[], bad_call=1, words=words, code=77)
        run = self.bench("--build", "build/fake", "--processes", "1", "--peers")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.endswith(f"\n{words}\n"), run.stdout)
        self.assertIn("torch_eager", run.stdout)

    def test_a_filter_that_fits_one_bench(self):
        self.fake("build/fake/bench/heat1d_bench", rows=[], bad_call=1, words="heat1d_bench: no row was run", code=2)
        run = self.bench("--build", "build/fake", "--processes", "1", "--filter", "fusion")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.fake("build/fake/bench/fusion_bench", rows=[], bad_call=2, words="fusion_bench: no row was run", code=2)
        (self.folder / "build/fake/bench/heat1d_bench.calls").unlink()
        run = self.bench("--build", "build/fake", "--processes", "1", "--filter", "none")
        self.assertEqual((run.returncode, run.stderr.splitlines()[-1]), (1, "bench: no row was run"))

    def test_interrupted(self):
        self.fake("build/fake/bench/fusion_bench", rows=repetitions(SUM("raw"), [2, 3]), bad_call=2, words="", sleep=60)
        command = [sys.executable, self.folder / "tools/bench", "--build", "build/fake"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=self.folder, start_new_session=True, **pipes) as run:
            while self.calls("build/fake/bench/fusion_bench") < 2:
                time.sleep(0.02)
            while not (self.folder / "build/logs/bench-process.json").exists():
                time.sleep(0.02)
            time.sleep(0.2)
            os.killpg(run.pid, signal.SIGINT)
            text, words = run.communicate()
        self.assertEqual(run.returncode, 1, words)
        self.assertIn("bench: fusion_bench 1: interrupted\n", words)
        self.assertIn("FAILED: fusion_bench 1: interrupted\n", text)
        self.assertEqual([row[:2] for row in self.rows()], [("raw", 0)] * 4 + [("raw", 1)] * 2)

    def test_refusals(self):
        self.file("bad.json", "{")
        message = "bad.json: not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1))"
        for arguments, code, words in [
            (["--read", "none.json"], 2, "none.json: No such file or directory"),
            (["--read", "bad.json"], 2, message),
            (["--build", "build/fake", "--json", "bad.json/x"], 2, f"{self.folder}/bad.json: File exists"),
            (["--build", "build/fake", "--json", "build"], 2, f"{self.folder}/build: Is a directory"),
        ]:
            run = self.bench(*arguments)
            self.assertEqual((run.returncode, run.stderr, run.stdout), (code, f"bench: {words}\n", ""))
        for arguments in [["--processes", "0"], ["--processes", "x"], ["--unknown"], ["word"], ["--filter", "("]]:
            self.assertEqual(self.bench(*arguments).returncode, 2)
        self.assertEqual(self.calls("build/fake/bench/fusion_bench"), 0)


ROWS = [
    *repetitions("fusion/copy/copy/double/1048576", [0.5], gb_per_s=33.55, kernels=0.0),
    *repetitions(SUM("x").replace("1024", "1048576").replace("/x/", "/raw/"), [1.0, 1.0, 1.25], gb_per_s=33.554432, kernels=1),
    *repetitions("fusion/scaled_sum/unfused/double/1048576", [2.5, 2.25, 2.5], gb_per_s=26.8435456, kernels=3),
    *repetitions("fusion/scaled_sum/jax_jit/double/1048576", [2.0], gb_per_s=16.777216),
    *repetitions("fusion/scaled_sum/unfused/double/64", [0.002], kernels=3),
    *repetitions("fusion/scaled_sum/raw/double/64", [0.004], kernels=1),
    *repetitions("heat1d/step/resident/float/1000", [0.75], steps=1000, kernels=1000),
]
CONTEXT = {
    "command": "tools/bench --peers",
    "date": "2026-11-30T12:00:00+00:00",
    "contexts": [
        {"version": "0.1.0", "git": "abc", "kokkos": "5.2.2", "backend": "OpenMP", "compiler": "g++ 14", "device": "CPU",
         "threads": "2", "host_name": "vm", "num_cpus": 2},
        {"framework": "JAX", "framework_version": "0.11", "device": "CPU", "host_name": "vm", "num_cpus": 2},
    ],
    "errors": ["fusion_bench 1: exit code 1"],
    "notes": ["torch: not installed (pip install torch)"],
}

TEXT = """\
$ tools/bench --peers
onetrip 0.1.0 (abc), Kokkos 5.2.2 OpenMP, g++ 14, CPU, threads: 2
JAX 0.11, CPU
2026-11-30T12:00:00+00:00, vm with 2 CPUs

fusion scaled_sum, double, 64
variant  kernels  median us    min    max  between  GB/s  of raw  of copy  speed-up
unfused        3      2.000  2.000  2.000        -     -   2.000        -     1.00x
raw            1      4.000  4.000  4.000        -     -   1.000        -    0.500x

fusion scaled_sum, double, 2^20 (copy: 33.55 GB/s)
variant  kernels  median ms    min    max  between   GB/s  of raw  of copy  speed-up
raw            1      1.000  1.000  1.250        -  33.55   1.000    1.000     2.50x
unfused        3      2.500  2.250  2.500        -  26.84   0.400    0.800     1.00x
jax_jit        -      2.000  2.000  2.000        -  16.78   0.500    0.500     1.25x

heat1d step, float, 1000
variant   kernels  median us/step     min     max  between  GB/s  of raw  of copy  speed-up
resident     1000          0.7500  0.7500  0.7500        -     -       -        -         -

least speed-up of each variant
variant  speed-up                               in
raw        0.500x    fusion scaled_sum, double, 64
jax_jit     1.25x  fusion scaled_sum, double, 2^20

median: over processes, of the medians of their repetitions; between: the range of these, relative
min, max: over all repetitions; of raw, of copy: within each process, or else of the whole run's medians
torch: not installed (pip install torch)
FAILED: fusion_bench 1: exit code 1
"""

MARKDOWN = """\
```
$ tools/bench --peers
onetrip 0.1.0 (abc), Kokkos 5.2.2 OpenMP, g++ 14, CPU, threads: 2
JAX 0.11, CPU
2026-11-30T12:00:00+00:00, vm with 2 CPUs
```

**fusion scaled_sum, double, 64**

| variant | kernels | median us | min | max | between | GB/s | of raw | of copy | speed-up |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| unfused | 3 | 2.000 | 2.000 | 2.000 | - | - | 2.000 | - | 1.00x |
| raw | 1 | 4.000 | 4.000 | 4.000 | - | - | 1.000 | - | 0.500x |

**fusion scaled_sum, double, 2^20 (copy: 33.55 GB/s)**

| variant | kernels | median ms | min | max | between | GB/s | of raw | of copy | speed-up |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| raw | 1 | 1.000 | 1.000 | 1.250 | - | 33.55 | 1.000 | 1.000 | 2.50x |
| unfused | 3 | 2.500 | 2.250 | 2.500 | - | 26.84 | 0.400 | 0.800 | 1.00x |
| jax_jit | - | 2.000 | 2.000 | 2.000 | - | 16.78 | 0.500 | 0.500 | 1.25x |

**heat1d step, float, 1000**

| variant | kernels | median us/step | min | max | between | GB/s | of raw | of copy | speed-up |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| resident | 1000 | 0.7500 | 0.7500 | 0.7500 | - | - | - | - | - |

**least speed-up of each variant**

| variant | speed-up | in |
| --- | --: | --: |
| raw | 0.500x | fusion scaled_sum, double, 64 |
| jax_jit | 1.25x | fusion scaled_sum, double, 2^20 |

- median: over processes, of the medians of their repetitions; between: the range of these, relative
- min, max: over all repetitions; of raw, of copy: within each process, or else of the whole run's medians
- torch: not installed (pip install torch)
- FAILED: fusion_bench 1: exit code 1
"""


class Tables(BenchTest):
    def test_whole(self):
        self.file("in.json", json.dumps({"context": CONTEXT, "benchmarks": ROWS}))
        run = self.bench("--read", "in.json", "--markdown", "out.md")
        self.assertEqual((run.stdout, run.stderr, run.returncode), (TEXT, "", 1))
        self.assertEqual((self.folder / "out.md").read_text(), MARKDOWN)

    def test_a_copy_alone(self):
        self.file("in.json", ROWS[:1])
        run = self.bench("--read", "in.json")
        self.assertIn("fusion copy, double, 2^20\n", run.stdout)
        self.assertEqual(run.returncode, 0)

    def test_several_files_are_processes(self):
        for i, ms in enumerate(([1.0], [2.0], [4.0])):
            self.file(f"{i}.json", repetitions(SUM("raw"), ms))
        run = self.bench("--read", "0.json", "1.json", "2.json")
        self.assertRegex(run.stdout, r"\nraw +- +2\.000 +1\.000 +4\.000 +150\.0% ")


if __name__ == "__main__":
    unittest.main()
