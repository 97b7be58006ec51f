# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of programs share: the program's path is the script's first argument."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv[1] if len(sys.argv) > 1 else "")
ENVIRONMENT = {**os.environ, "OMP_PROC_BIND": "false"}  # else Kokkos warns on stderr when it starts
BARE_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "OMP_PROC_BIND"}


def without_warning(stderr):
    """Less the line that a program built for a machine without fused multiply-add starts with."""
    return re.sub(r"^\S+: warning: built without fused multiply-add.*\r?\n", "", stderr)


class ProgramTest(unittest.TestCase):
    """Each test has an empty folder of its own, self.folder."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments, env=ENVIRONMENT, **options):
        run = subprocess.run(
            [PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=env, cwd=self.folder, **options
        )
        run.stderr = without_warning(run.stderr)
        return run

    def assert_runs(self, *arguments):
        """The program succeeds and has nothing to say on stderr. Returns its stdout."""
        run = self.run_program(*arguments)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def assert_fails(self, arguments, message, code=2, **options):
        """The program says this one line on stderr, the program's name before it, and ends with this code."""
        run = self.run_program(*arguments, **options)
        self.assertEqual((run.stderr, run.returncode), (f"{PROGRAM.name}: {message}\n", code))

    def assert_refuses(self, arguments, message):
        """The same before Kokkos starts: Kokkos adds no line."""
        self.assert_fails(arguments, message, env=BARE_ENVIRONMENT)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
