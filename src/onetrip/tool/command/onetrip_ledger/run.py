# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program under the tool, and judges what it did."""

import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from . import gate
from .ledger_file import Fault, first_line, read
from .text import clean

BREACH, NO_LEDGER = 3, 4
# The same that the tool takes a rank from; of Slurm, whose batch script has a rank too, only within a step of tasks.
RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK")
PASSED_ON = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2")


def run(library, command, *, budgets, least, json, keep):
    """The program's exit status, 128 and the signal's number if one ended it; if that is 0, the gate's."""
    if not library.exists():
        raise Fault(f"{library}: not there")
    json = json or dict(_settings()).get("json")
    folder = None if json else tempfile.mkdtemp(prefix="onetrip-ledger-")
    try:
        # %r, %h and %p stand for rank, host and process.
        name = os.path.abspath(json or os.path.join(folder.replace("%", "%%"), "%r.%h.%p.jsonl"))
        if "," in name:
            raise Fault(f"{name}: the tool's settings can't hold a name with a comma")
        before = _state_of_files(name)
        status = _run_program(command, _environment(library, name))
        if status == 0:
            try:
                status = _judge(name, before, budgets, least)
            except Fault as fault:
                _say(fault)
                status = NO_LEDGER
    finally:
        if folder and keep:
            _say(f"the ledger is in {folder}")
        elif folder:
            shutil.rmtree(folder, ignore_errors=True)
    return status


def _say(line):
    print(f"onetrip-ledger: {line}", file=sys.stderr, flush=True)


def _settings():
    for word in os.environ.get("ONETRIP_LEDGER", "").split(","):
        key, _, value = word.partition("=")
        yield key.strip(), value.strip()


def _environment(library, name):
    environment = dict(os.environ)
    others = environment.get("KOKKOS_TOOLS_LIBS", "")
    if others.split(";")[0] != str(library):
        environment["KOKKOS_TOOLS_LIBS"] = f"{library};{others}".rstrip(";")
    environment["ONETRIP_LEDGER"] = f"{environment.get('ONETRIP_LEDGER', '')},json={name}".lstrip(",")
    return environment


def _run_program(command, environment):
    signals = {getattr(signal, name) for name in PASSED_ON}
    signal.signal(signal.SIGCHLD, lambda *_: None)  # waited for below, which an ignored one is not everywhere
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*signals, signal.SIGCHLD})
    try:
        program = subprocess.Popen(
            command, env=environment, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        )
    except OSError as error:
        _say(f"{clean(command[0])}: {error.strerror}")
        return 127 if isinstance(error, FileNotFoundError) else 126
    while program.poll() is None:
        number, by_terminal = _next_signal({*signals, signal.SIGCHLD})
        if number in signals and not by_terminal:
            program.send_signal(number)
    return program.returncode if program.returncode >= 0 else 128 - program.returncode


def _next_signal(signals):
    """The next one and whether a terminal sent it, which sends it to the program as well."""
    if hasattr(signal, "sigwaitinfo"):
        info = signal.sigwaitinfo(signals)
        return info.si_signo, info.si_code > 0
    number = signal.sigwait(signals)
    return number, number in (signal.SIGINT, signal.SIGQUIT)


def _own_rank():
    names = list(RANKS)
    step = os.environ.get("SLURM_STEP_ID", "")
    if step.isdecimal() and int(step) < 2**31:  # the last numbers are batch scripts and shells
        names.append("SLURM_PROCID")
    for name in names:
        if os.environ.get(name, "").isdecimal():
            return int(os.environ[name])
    return None


def _state_of_files(name):
    """What files there are that the name fits, and as of when."""
    stands_for = {"%r": "*", "%h": "*", "%p": "*", "%%": "%"}
    pattern = "".join(stands_for.get(part, glob.escape(part)) for part in re.split("(%[rhp%])", name))
    states = ((file, os.stat(file)) for file in glob.glob(pattern))
    return {file: (state.st_ino, state.st_size, state.st_mtime_ns) for file, state in states}


def _is_of(file, rank):
    try:
        return first_line(file).get("rank") in (rank, None)
    except Fault:
        return False


def _judge(name, before, budgets, least):
    written = [file for file, state in _state_of_files(name).items() if before.get(file) != state]
    own_rank = _own_rank()
    if own_rank is not None:  # each of the other ranks is judged by the run that it is under
        written = [file for file in written if _is_of(file, own_rank)]
    if not written:
        _say("no ledger was written: the program ran no Kokkos, or one that takes no tools")
        return NO_LEDGER
    ledgers = sorted(map(read, written), key=lambda ledger: (ledger.start.get("rank") or 0, ledger.path))
    breaches, gaps = [], []
    for ledger in ledgers:
        of = f"{ledger.name}: " if len(ledgers) > 1 or own_rank is not None else ""
        breaches += [of + reason for reason in gate.breaches(ledger, budgets, least)]
        if ledger.end is None:
            gaps.append(f"{of}the ledger has no end: the program turned it off, or left without an exit")
    ranks = {ledger.start.get("rank") for ledger in ledgers} - {None}
    told = max(ledger.start.get("ranks") or 0 for ledger in ledgers)
    if own_rank is None and ranks and len(ranks) < told:  # a private folder is seldom on all nodes
        gaps.append(f"{len(ranks)} of {told} ranks wrote a ledger here: start one run for each, or give --json a name with %r")
    for line in breaches + gaps:
        _say(line)
    return BREACH if breaches else NO_LEDGER if gaps else 0
