# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the benchmark tools share: rows, and files of them in a folder of each test's own."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "bench"))
sys.dont_write_bytecode = True


def repetitions(name, milliseconds, **members):
    """Rows as Google Benchmark writes them."""
    common = {"name": f"{name}/iterations:1/manual_time", "run_name": name, "run_type": "iteration", "time_unit": "ms"}
    return [{**common, "real_time": time, **members} for time in milliseconds]


class ResultsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        """A file of this text, or of these rows."""
        if not isinstance(content, str):
            content = json.dumps({"context": {}, "benchmarks": content})
        (self.folder / name).write_text(content)
        return self.folder / name

    def run_tool(self, tool, *arguments, **environment):
        command = [sys.executable, tool, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env={**os.environ, **environment})
