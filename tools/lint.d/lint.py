# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lint.py [--fix]: what tools/lint does, where its tools are. Each section yields (path, line, rule, what is wrong)."""

import json
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import rules
import tidy
import yaml

TOP = pathlib.Path(__file__).resolve().parents[2]
Found = Iterator[tuple[str, int, str, str]]


def checkout() -> rules.Files:
    """The texts of all that git tracks or would add; without git, of all but what builds make."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
    if git.returncode == 0:
        paths = [TOP / p for p in git.stdout.split("\0") if p]
    else:
        top = [p for p in TOP.iterdir() if p.name not in (".git", "build") and not p.is_symlink()]
        paths = [f for p in top for f in ([p] if p.is_file() else p.rglob("*")) if "__pycache__" not in f.parts]
    files = {}
    for path in sorted(paths):
        if path.is_file() and not path.is_symlink():
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue  # no text
            if "\0" not in text:  # nor this
                files[str(path.relative_to(TOP))] = text
    return files


def seen_by(pattern: str, *command: str) -> list[tuple[str, ...]]:
    """What a command says in lines of this pattern; it may fail only for what it says there."""
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
    found = re.findall(pattern, done.stdout + done.stderr, re.MULTILINE)
    if done.returncode != 0 and not found:
        raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")
    return found


def is_script(path: str, text: str) -> bool:
    return re.match(r"#!/bin/(?:ba)?sh\b", text) is not None or path.endswith(".sh")


def layout(files: rules.Files) -> Found:
    sources = [p for p in files if p.endswith((".hpp", ".cpp"))]
    pattern = r"^(.*?):(\d+):\d+: .*\[-Wclang-format-violations\]$"
    for path, line in dict.fromkeys(seen_by(pattern, "clang-format", "--dry-run", *sources)):
        yield path, int(line), "clang-format", "not as .clang-format has it (tools/lint --fix)"


def fix_layout(files: rules.Files) -> None:
    for path, text in files.items():
        if path.endswith((".hpp", ".cpp")):
            subprocess.run(["clang-format", "-i", path], cwd=TOP, check=True)
            if (TOP / path).read_text() != text:
                print(f"formatted {path}")


def clang_tidy(files: rules.Files) -> Found:
    yield from tidy.findings(TOP, list(files))


def house_rules(files: rules.Files) -> Found:
    yield from rules.check(files)


def shell(files: rules.Files) -> Found:
    scripts = [p for p, t in files.items() if is_script(p, t)]
    pattern = r"^(.*?):(\d+):\d+: \w+: (.*) \[(SC\d+)\]$"
    for path, line, what, name in seen_by(pattern, "shellcheck", "--format=gcc", *scripts):
        yield path, int(line), name, what


def spelling(files: rules.Files) -> Found:
    for path, line, what in seen_by(r"^(?:\./)?(.*?):(\d+): (.*)$", "codespell", "--ignore-words-list=copyin", *files):
        yield path, int(line), "codespell", what


def syntax(files: rules.Files) -> Found:
    """That JSON, YAML and Python parse; the configuration for clang-tidy reads the CMake files."""
    for path, text in files.items():
        try:
            if path.endswith(".json"):
                json.loads(text)
            elif path.endswith((".yaml", ".yml", ".cff", ".clang-format", ".clang-tidy")):
                list(yaml.safe_load_all(text))
            elif path.endswith(".py"):
                compile(text, path, "exec")
        except json.JSONDecodeError as error:
            yield path, error.lineno, "json", error.msg
        except yaml.MarkedYAMLError as error:
            yield path, error.problem_mark.line + 1, "yaml", error.problem
        except SyntaxError as error:
            yield path, error.lineno, "python", error.msg


def main() -> int:
    files = checkout()
    if "--fix" in sys.argv[1:]:
        fix_layout(files)
        files = checkout()
    seconds, count = [], 0
    for section in (layout, house_rules, shell, spelling, syntax, clang_tidy):
        begin = time.monotonic()
        try:
            for path, line, name, what in section(files):
                count += 1
                print(f"{path}:{line}: {name}: {what}", flush=True)
        except RuntimeError as error:
            count += 1
            print(error)
        seconds.append(f"{section.__name__} {time.monotonic() - begin:.0f} s")
    print(f"lint: {len(files)} files, {count or 'no'} finding{'s' * (count != 1)} ({', '.join(seconds)})")
    return 1 if count else 0


sys.exit(main())
