# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page, read as text, and drawn by a browser without a window."""

import html
import importlib.util
import re
import shutil
import subprocess
import sys
import unittest

from ledgers import FINDING, ROWS, CommandTest, ledger

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
EVIL = "<b>'&amp;</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\u2028\U0001f600"


class Page(CommandTest):
    def drawn(self, page):
        """The document once its scripts have run, and what the browser had to say of them."""
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=3000",
                   f"--user-data-dir={self.folder / 'browser'}", "--dump-dom", (self.folder / page).as_uri()]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout, [line for line in run.stderr.splitlines() if "CONSOLE" in line]

    def without_library(self, page):
        """Less plotly's own text."""
        return re.sub(r"<script>.*?</script>", "", (self.folder / page).read_text(), count=1, flags=re.DOTALL)

    def test_a_ledger_of_many_lines(self):
        rows = [*ROWS, {"kind": "transfer", "direction": "to device", "label": EVIL, "space": "Cuda", "source": "h", "source_space": "Host"}]
        rows += [{"kind": "kernel", "label": f"kernel {i}"} for i in range(300)]
        counts = [(i / 2, [[0, i, 800 * i, 0.1 * i], [4, i, 8000 * i, 0.2 * i]]) for i in range(1, 20001)]
        findings = [{**FINDING, "label": EVIL, "what": EVIL, "fix": EVIL, "stack": [EVIL]}]
        self.file("long.jsonl", ledger(counts, rows=rows, findings=findings, peaks={"Cuda": 2**30}, program=EVIL))
        self.assert_says(self.command("html", "long.jsonl"), 0)
        own = self.without_library("long.html")
        self.assertLess(len(own), 200_000)
        self.assertEqual(own.count("<script>"), 1)
        for words in ["DM02", "LIKELY", "4.8 kB", "1.074 GB", "the 200 largest of 305", "20,000"]:
            self.assertIn(words, own)
        document, said = self.drawn("long.html")
        self.assertEqual(said, [])
        self.assertTrue(f"<title>Ledger of {html.escape(EVIL[:20], quote=False)}" in document)
        for figure in ("over_time", "labels"):
            self.assertTrue(f'<div id="{figure}" class="js-plotly-plot"><div class="plot-container' in document, figure)
        bars = document.split('<div id="over_time"')[1].split('<div id="labels"')[0].count('<g class="point">')
        self.assertTrue(200 <= bars <= 400, bars)
        self.assertTrue(html.escape(EVIL[:59], quote=False) + "…</text>" in document)

    def test_a_ledger_of_ranks(self):
        for rank in (0, 1):
            self.file(str(rank), ledger([(1, [[0, 2 + rank, 1600 * (1 + rank), 0.1]])], rank=rank, ranks=2, findings=[FINDING]))
        self.assertEqual(self.command("merge", "0", "1", "-o", "both").returncode, 0)
        self.assert_says(self.command("html", "both", "-o", "out.html"), 0)
        own = self.without_library("out.html")
        for words in ["2 (rank 0), 3 (rank 1)", "1.6 kB (rank 0), 3.2 kB (rank 1)", "on 2 ranks", 'id="labels"']:
            self.assertIn(words, own)
        self.assertNotIn('id="over_time"', own)

    def test_a_ledger_of_nothing(self):
        self.file("none.jsonl", ledger([], rows=[], end=False))
        self.assertEqual(self.command("html", "none.jsonl").returncode, 0)
        own = (self.folder / "none.html").read_text()
        self.assertIn("the file ends before the program did", own)
        self.assertNotIn("<script>", own)

    def test_refusals(self):
        self.file("x.html", ledger([]))
        self.assert_says(self.command("html", "x.html"), 2, "x.html: is read, and can't be written as well")
        self.assert_says(self.command("html", "x.html", "-o", "none/y"), 2, "none/y: No such file or directory")


if __name__ == "__main__":
    missing = [name for name, found in (("plotly", importlib.util.find_spec("plotly")), ("browser", BROWSER)) if not found]
    if missing:
        print("no", *missing)
        sys.exit(77)
    unittest.main()
