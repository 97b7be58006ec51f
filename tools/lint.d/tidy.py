# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy over all C++. It spends most of its time in the headers of Kokkos, so it sees them twice and not a hundred
times: one unit holds all sources of the programs, another all headers of the library, tests, benchmarks and samples."""

import json
import pathlib
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor

Finding = tuple[str, int, str, str]  # path, line, rule, what is wrong
BUILD = pathlib.Path("build/lint")
FINDING = re.compile(r"(/[^:\n]+):(\d+):\d+: (?:error|warning): (.*) \[([^\]]+)\]$", re.MULTILINE)
UNITS = {"programs": ("apps/",), "library": ("src/", "tests/", "bench/", "docs/")}


def configure(top: pathlib.Path) -> None:
    """For the flags and the generated headers; nothing is compiled. A faulty configuration would check nothing."""
    for command in (
        ["clang-tidy", "--config-file=.clang-tidy", "--verify-config"],
        ["cmake", "--preset", "serial-clang", "-B", str(BUILD), "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"],
        ["cmake", "--build", str(BUILD), "--target", "apps_git_state"],
    ):
        done = subprocess.run(command, cwd=top, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(command)} failed:\n{done.stderr or done.stdout}")


def compiled(top: pathlib.Path) -> tuple[list[str], list[str]]:
    """The sources that this configuration compiles, and the flags of all its targets together; of a macro that several
    define, one value. The macros that choose a case of tests/rejects, which must not compile, stay out."""
    sources: dict[str, None] = {}
    options: dict[str, str] = {}
    for entry in json.loads((top / BUILD / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(top / BUILD):
            sources[str(source.relative_to(top))] = None
        words = iter(shlex.split(entry["command"])[1:])
        for word in words:
            if word in ("-o", "-c"):
                next(words)
            elif word == "-isystem":
                path = next(words)
                options[path] = f"-isystem{path}"
            elif not word.startswith("-DREJECT_"):
                options.setdefault(word.split("=")[0] if word.startswith("-D") else word, word)
    return list(sources), list(options.values())


def includes(top: pathlib.Path, file: str) -> list[str]:
    """What a source includes, conditions aside."""
    found, depth = [], 0
    for line in (top / file).read_text().splitlines():
        depth += line.startswith("#if") - line.startswith("#endif")
        if depth == 0 and (match := re.match(r'#include (?:<.*>|"(?P<own>.*)")', line)):
            beside = (top / file).parent / (match["own"] or "")
            found.append(f'#include "{beside}"' if match["own"] and beside.exists() else match[0])
    return found


def unit(top: pathlib.Path, headers: list[str], sources: list[str]) -> str:
    """One text of many. What they include comes first, since a source that opens no namespace of its own gets one, so
    that its names don't meet those of the next."""
    lines = [f'#include "{top / f}"' for f in headers]
    lines += dict.fromkeys(line for f in sources for line in includes(top, f))
    for number, file in enumerate(sources):
        has_namespace = re.search(r"^namespace \w[\w:]* {", (top / file).read_text(), re.MULTILINE)
        include = f'#include "{top / file}"'
        lines += [include] if has_namespace else [f"namespace source_{number} {{", include, "}"]
    return "\n".join(lines) + "\n"


def run(top: pathlib.Path, file: pathlib.Path, options: list[str]) -> list[Finding]:
    done = subprocess.run(["clang-tidy", "--quiet", str(file), "--", *options], cwd=top, capture_output=True, text=True)
    found = []
    for path, line, what, check in FINDING.findall(done.stdout):
        found.append((path.removeprefix(f"{top}/"), int(line), check.removesuffix(",-warnings-as-errors"), what))
    if done.returncode != 0 and not found:
        raise RuntimeError(f"clang-tidy failed:\n{done.stderr or done.stdout}")
    return found


def findings(top: pathlib.Path, files: list[str]) -> list[Finding]:
    configure(top)
    sources, options = compiled(top)

    def findings_of(name: str, folders: tuple[str, ...]) -> list[Finding]:
        own = [f for f in sources if f.startswith(folders)]
        headers = [f for f in files if f.startswith("src/") and f.endswith(".hpp")] if "src/" in folders else []
        headers = [f for f in headers if "/mpi" not in f]  # there is no MPI where clang-tidy is
        file = top / BUILD / f"{name}.cpp"
        file.write_text(unit(top, headers, own))
        found = run(top, file, options)
        # Names may meet all the same: a source with an error is looked at alone.
        alone = {f[0] for f in found if f[2] == "clang-diagnostic-error"} & set(own)
        return [f for f in found if f[0] not in alone] + [f for a in sorted(alone) for f in run(top, top / a, options)]

    with ThreadPoolExecutor() as pool:
        return sorted({f for found in pool.map(lambda item: findings_of(*item), UNITS.items()) for f in found})
