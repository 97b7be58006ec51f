# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a bug report needs to say."""

import ctypes
import os
import platform
import sys

from . import text
from .ledger_file import SCHEMA

INTERFACE = 20240906  # of Kokkos 4.5 to 5.x


def info(library, version):
    try:
        ctypes.CDLL(str(library))
        state = "loads"
    except OSError as error:
        state = f"does not load: {error}" if library.exists() else "not found"
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
