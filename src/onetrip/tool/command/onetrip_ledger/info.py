# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a bug report needs to say."""

import os
import platform
import subprocess
import sys

from . import text
from .ledger_file import SCHEMA

INTERFACE = 20240906  # of Kokkos 4.5 to 5.x


def _state(library):
    """Loaded in a process of its own, which may not survive it."""
    if not library.exists():
        return "not found"
    load = [sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", str(library)]
    run = subprocess.run(load, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if run.returncode == 0:
        return "loads"
    return f"does not load: {(run.stderr.strip().splitlines() or [f'status {run.returncode}'])[-1]}"


def info(library, version):
    state = _state(library)
    try:
        from plotly import __version__ as plotly
    except ImportError:
        plotly = "not found (html needs it)"
    lines = {
        "onetrip-ledger": f"{version}, reads schema {SCHEMA}",
        "library": f"{library}, {state}",
        "interface": f"{INTERFACE}, Kokkos 4.6 to 5.x",
        "Python": f"{platform.python_version()}, {sys.executable}",
        "plotly": plotly,
        "platform": platform.platform(),
    }
    for name in ("KOKKOS_TOOLS_LIBS", "ONETRIP_LEDGER"):
        lines[name] = os.environ.get(name, "not set")
    for name, value in lines.items():
        print(f"{name + ':':18} {text.clean(value)}")
    return 0 if state == "loads" else 1
