# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""programs_test.py PROGRAMS LIBRARY: the tool finds what each program has, and nothing in its mended twin."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAMS, LIBRARY = sys.argv[1:3]


def run(name, settings):
    """The lines of the JSON of a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ledger.jsonl")
        environment = dict(
            os.environ,
            KOKKOS_TOOLS_LIBS=LIBRARY,
            ONETRIP_LEDGER=f"json={path},summary=none,device=device_*{settings}",
            OMP_NUM_THREADS="2",
            OMP_PROC_BIND="false",
            OMP_WAIT_POLICY="passive",
        )
        done = subprocess.run([PROGRAMS, name], env=environment, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0 or done.stderr:
            raise AssertionError(f"{name}: status {done.returncode}\n{done.stderr}")
        with open(path, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


class Programs(unittest.TestCase):
    def test_each_has_what_it_says(self):
        listed = subprocess.run([PROGRAMS, "list"], capture_output=True, text=True, timeout=60, check=True).stdout
        names = [line.split() for line in listed.splitlines()]
        self.assertGreater(len(names), 20)
        for settings in "", ",contents=full":
            for name, expected in names:
                with self.subTest(name + settings):
                    lines = run(name, settings)
                    last = {line["finding"]: line for line in lines if line["type"] == "finding"}
                    ids = [finding["id"] for finding in last.values()]
                    self.assertEqual(ids, [] if expected == "none" else [expected], last)
                    self.assertEqual(lines[-1]["type"], "end")
                    self.assertEqual([line for line in lines if line["type"] == "problem"], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
