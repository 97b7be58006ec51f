# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import signal
import sys
from pathlib import Path

from . import gate
from .ledger_file import PROOFS, Fault, read

RUN = """Budgets, of each process by itself:
  to-device=N, to-host=N   transfers one way
  transfers=N              transfers, whichever way
  aliases=N                copies onto themselves, which would be transfers were the device's memory its own
  allocations=N            allocations
  kernels=N, fences=N      the program's own, without those that Kokkos adds
  peak:SPACE=SIZE          bytes allocated at one time in a memory space
to-device-bytes=SIZE and so on limit the bytes of the first five. A SIZE is like 1500, 1.5MB or 4GiB.

Exit status: the program's, or 128 and the number of the signal that ended it. If that is 0: 3 if a budget or --fail is
not kept, for the reasons on stderr; 4 if no whole ledger was written. 2: a wrong option."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


def parser(version):
    top = Parser(prog="onetrip-ledger", description="Runs programs under the ledger for Kokkos, and reads what it wrote.")
    top.add_argument("--version", action="version", version=f"onetrip-ledger {version}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, what, more="", **options):
        return commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=more,
                                   formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    run = add("run", "run a program under the ledger, and judge what it moved", RUN,
              usage="onetrip-ledger run [--budget KIND=LIMIT]... [--fail LEVEL] [--json FILE | --keep] -- PROGRAM ARGS")
    run.add_argument("--budget", action="append", default=[], metavar="KIND=LIMIT", help="fail if there is more of this")
    run.add_argument("--fail", choices=PROOFS, help="fail if there is a finding as sure as this or surer")
    files = run.add_mutually_exclusive_group()
    files.add_argument("--json", metavar="FILE", help="write the ledger here; %%r, %%h, %%p: rank, host, process")
    files.add_argument("--keep", action="store_true", help="keep the ledger in the temporary folder and name it")
    run.add_argument("program", nargs=argparse.REMAINDER, metavar="PROGRAM ARGS", help="what to run")

    diff = add("diff", "show what differs between two ledgers: counts, bytes, findings; not times",
               "Exit status: 0 if nothing differs, 1 if something does, 2 if a file can't be read; as diff's.")
    diff.add_argument("before", metavar="BEFORE")
    diff.add_argument("after", metavar="AFTER")

    merge = add("merge", "make one ledger of those of a run's processes: sums; least, most and their ranks; the highest peaks")
    merge.add_argument("files", nargs="+", metavar="FILE")
    merge.add_argument("-o", "--output", required=True, metavar="FILE")

    html = add("html", "draw a ledger as one page that needs no network (needs Python's plotly)")
    html.add_argument("file", metavar="FILE")
    html.add_argument("-o", "--output", metavar="FILE", help="the page (FILE with .html as its end)")

    add("info", "tell versions and places, for reports of bugs",
        "Exit status: 0 if the library loads, 1 if not.")
    return top


def main(library, version):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    arguments = parser(version).parse_args()
    if arguments.command != "run":
        for name in ("SIGINT", "SIGPIPE"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        return globals()[f"_{arguments.command}"](arguments, library, version)
    except Fault as fault:
        line = str(fault)
    except OSError as error:
        line = f"{error.filename}: {error.strerror}"
    print(f"onetrip-ledger: {line}", file=sys.stderr)
    return 2


def _run(arguments, library, _):
    from .run import run

    command = arguments.program[1:] if arguments.program[:1] == ["--"] else arguments.program
    if not command:
        raise Fault("run: no program")
    budgets = [gate.budget(words) for words in arguments.budget]
    return run(library, command, budgets=budgets, least=arguments.fail, json=arguments.json, keep=arguments.keep)


def _open(path):
    ledger = read(path)
    if ledger.end is None:
        cut = ", in the middle of a line," if ledger.is_cut else ""
        print(f"onetrip-ledger: {path}: ends{cut} before its program did: totals are those up to there", file=sys.stderr)
    return ledger


def _diff(arguments, *_):
    from .compare import compare

    lines = compare(_open(arguments.before), _open(arguments.after))
    for line in lines:
        print(line)
    return 1 if lines else 0


def _keep_inputs(inputs, output):
    if os.path.exists(output) and any(os.path.samefile(path, output) for path in inputs):
        raise Fault(f"{output}: is read, and can't be written as well")


def _merge(arguments, *_):
    from .merge import merge, write

    lines = list(merge([_open(path) for path in arguments.files]))
    _keep_inputs(arguments.files, arguments.output)
    write(lines, arguments.output)
    return 0


def _html(arguments, *_):
    from .page import page

    output = arguments.output or Path(arguments.file).with_suffix(".html")
    content = page(_open(arguments.file))
    _keep_inputs([arguments.file], output)
    with open(output, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(content)
    return 0


def _info(_, library, version):
    from .info import info

    return info(library, version)
