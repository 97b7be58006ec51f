# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tool in whole processes: whatever way they end, their status is their own and what was written is sound."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
LIBRARY = sys.argv.pop(1)
EVENTS = 5  # of a round: kernel, fence, copy, allocation, deallocation


class Alive(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, way, rounds=1, settings="json=out.jsonl", **variables):
        environment = {name: text for name, text in os.environ.items() if "RANK" not in name and "PROCID" not in name}
        environment |= {"ONETRIP_LEDGER": settings} | variables
        return subprocess.run([PROGRAM, LIBRARY, way, str(rounds)], cwd=self.folder, env=environment, timeout=120,
                              capture_output=True, text=True, errors="replace")

    def entries(self, name="out.jsonl"):
        with open(self.folder / name, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def counts(self, entries):
        kinds = {entry["row"]: entry["kind"] for entry in entries if entry["type"] == "row"}
        latest = {}
        for entry in entries:
            if entry["type"] == "counts":
                latest |= {row: count for row, count, _, _ in entry["rows"]}
        totals = {}
        for row, count in latest.items():
            totals[kinds[row]] = totals.get(kinds[row], 0) + count
        return totals

    def check(self, rounds, finalized):
        entries = self.entries()
        self.assertEqual(entries[0]["type"], "start")
        self.assertEqual(sum(entry["type"] == "start" for entry in entries), 1)
        self.assertEqual(self.counts(entries), dict.fromkeys(
            ("kernel", "fence", "transfer", "allocation", "deallocation"), rounds))
        if finalized is None:
            self.assertNotEqual(entries[-1]["type"], "end")
        else:
            self.assertEqual(entries[-1]["type"], "end")
            self.assertEqual((entries[-1]["events"], entries[-1]["finalized"]), (EVENTS * rounds, finalized))

    def test_ends(self):
        for way, status, rounds, finalized in [("plain", 0, 3, True), ("exit", 7, 3, False),
                                               ("kill", -signal.SIGKILL, 3, None), ("fork", 0, 2, True)]:
            with self.subTest(way):
                done = self.run_program(way, rounds if way != "fork" else 1)
                self.assertEqual(done.returncode, status, done.stderr)
                self.check(rounds, finalized)
                self.assertEqual(done.stderr.count("onetrip-ledger:"), 0 if way == "kill" else 1)

    def test_deaths(self):
        for way in ("abort", "throw"):
            self.assertEqual(self.run_program(way).returncode, -signal.SIGABRT)
            self.assertEqual(self.entries()[0]["type"], "start")

    def test_threads(self):
        done = self.run_program("threads", 500, "json=out.jsonl,trace=out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = self.counts(self.entries())
        self.assertEqual((counts["kernel"], counts["fence"], counts["transfer"]), (2000, 2000, 2000))
        self.assertEqual(self.run_program("fork among threads", 1).returncode, 0)
        self.entries()

    def test_trace(self):
        self.run_program("plain", 2, "trace=out.json")
        with open(self.folder / "out.json", encoding="utf-8") as file:
            boxes = [box for box in json.load(file) if box["ph"] == "X"]
        self.assertEqual(sorted({box["name"] for box in boxes}), ['step "1"', "u", "up\x01\ufffd", "wait"])
        self.assertEqual(len(boxes), 8)
        self.run_program("kill", 2, "trace=cut.json")
        cut = (self.folder / "cut.json").read_text(encoding="utf-8")
        self.assertEqual(len(json.loads(cut + "]")), 1 + 4 + 8)  # the viewers take it without the bracket

    def test_files_that_cannot_be_written(self):
        for settings, line in [("json=none/out", "none/out can't be written: No such file or directory"),
                               ("json=/dev/full", "/dev/full is not whole: No space left on device"),
                               ("tme=fenced", "'tme=fenced' is not a setting; ONETRIP_LEDGER=help lists them")]:
            done = self.run_program("plain", 1, settings + ",summary=none")
            self.assertEqual((done.returncode, done.stderr), (0, f"onetrip-ledger: {line}\n"))

    def test_ranks(self):
        for rank in ("0", "1"):
            ranks = {"OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": "2"}
            done = self.run_program("plain", 1, "json=one,trace=%r.trace", **ranks)
            self.assertEqual("rank 0 alone" in done.stderr, rank == "0")
            self.assertEqual("kernels" in done.stderr, rank == "0")
        self.assertEqual(self.entries("one")[0]["rank"], 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["0.trace", "1.trace", "one"])

    def test_no_file_without_being_asked(self):
        self.run_program("plain", 1, "")
        self.assertEqual(os.listdir(self.folder), [])

    def test_fences_of_its_own(self):
        done = self.run_program("fences", 4, "time=fenced,json=out.jsonl")
        self.assertEqual(done.stdout, "8\n")
        counts = self.counts(self.entries())
        self.assertEqual((counts["fence"], counts["tool fence"]), (4, 8))
        self.assertEqual(self.run_program("fences", 4).stdout, "0\n")

    def test_memory_does_not_grow_with_events(self):
        done = self.run_program("memory", 1_000_000, "summary=none,json=out.jsonl")  # 10^7 callbacks and more
        self.assertLess(int(done.stdout), 16_000, "kilobytes")
        self.assertLess((self.folder / "out.jsonl").stat().st_size, 1_000_000)


if __name__ == "__main__":
    unittest.main()
