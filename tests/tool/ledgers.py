# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of onetrip-ledger share: ledgers written by hand, and the command, whose path is the script's first
argument; the second, if there is one, is heat1d's."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMMAND = Path(sys.argv.pop(1)).resolve()
HEAT1D = Path(sys.argv.pop(1)).resolve() if sys.argv[1:] else None
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI", "SLURM_", "MV2_", "KOKKOS_TOOLS", "ONETRIP_LEDGER"))}

ROWS = [
    {"kind": "transfer", "direction": "to device", "label": "u", "space": "Cuda", "source": "u_host", "source_space": "Host", "region": "solve/step"},
    {"kind": "transfer", "direction": "to host", "label": "u_host", "space": "Host", "source": "u", "source_space": "Cuda", "upper_bound": True},
    {"kind": "kernel", "label": "step", "region": "solve/step"},
    {"kind": "alias", "label": "m", "space": "Host", "source": "m", "source_space": "Host"},
]
FINDING = {
    "type": "finding", "t": 1.5, "finding": 0, "id": "DM02", "proof": "LIKELY", "label": "u", "source": "u_host", "space": "Cuda",
    "source_space": "Host", "region": "solve/step", "count": 8, "bytes": 6400, "count_saved": 6, "bytes_saved": 4800,
    "what": "goes back and forth", "fix": "hoist the copies out of the loop", "stack": ["heat1d(+0x12)"],
}


def ledger(counts, rank=0, ranks=None, rows=ROWS, findings=(), peaks=None, end=True, **start):
    """The lines of one: counts is a list of (t, [[row, count, bytes, seconds], ...])."""
    first = {"type": "start", "schema": 1, "version": "0.1.0", "program": "heat1d", "host": "n1", "pid": 12, "rank": rank,
             "ranks": ranks, "time": "2026-12-01T02:46:32Z", "settings": "", "contents": "sampled", "interface": 20240906}
    lines = [{**first, **start}]
    blank = {"direction": "", "space": "", "source": "", "source_space": "", "region": "", "upper_bound": False}
    lines += [{"type": "row", "row": i, **blank, **row} for i, row in enumerate(rows)]
    lines += [{"type": "counts", "t": t, "rows": changed} for t, changed in counts]
    lines += [{"type": "memory", "t": 1, "space": s, "bytes": 0, "peak": peak} for s, peak in (peaks or {}).items()]
    lines += findings
    if end:
        lines.append({"type": "end", "t": 2.5, "events": 16, "finalized": True})
    return "".join(json.dumps(line) + "\n" for line in lines)


class CommandTest(unittest.TestCase):
    """Each test has an empty folder of its own, self.folder."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "tmp").mkdir()

    def file(self, name, content):
        (self.folder / name).write_text(content)
        return name

    def environment(self, **more):
        return {**CLEAN, "OMP_PROC_BIND": "false", "TMPDIR": str(self.folder / "tmp"), **more}

    def command(self, *arguments, **environment):
        run = subprocess.run([sys.executable, COMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                             env=self.environment(**environment))
        self.assertNotIn("Traceback", run.stderr)
        return run

    def assert_says(self, run, status, *lines):
        """This exit status, and on stderr these lines alone."""
        self.assertEqual((run.returncode, run.stderr), (status, "".join(f"onetrip-ledger: {line}\n" for line in lines)))
