# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The house rules of CONTRIBUTING.md that a text shows. Each is a function of the checkout, a dict of its files' texts
by path, and yields (path, line, what is wrong); its name is the rule's. tests/lint breaks every one of them."""

import re
from collections.abc import Iterator

Files = dict[str, str]
Found = Iterator[tuple[str, int, str]]

RULES = []


def rule(function):
    RULES.append(function)
    return function


def check(files: Files) -> list[tuple[str, int, str, str]]:
    return sorted((path, line, r.__name__, what) for r in RULES for path, line, what in r(files))


# Which files, and what of them

KNOWN_HOSTS = {"doi.org", "github.com", "kokkos.org", "www.w3.org"}
LAYERS = {"fuse", "region", "march"}  # beside each other; the ledger is below them
START = r"\bparallel_(?:for|reduce|scan)\s*(?=\()"
NESTED = re.compile(r"\(\s*(?:Kokkos::)?(?:TeamThread|TeamVector|ThreadVector)(?:MD)?Range\b")  # a loop within a kernel
COPY = r"\b(?:deep_copy|create_mirror_view_and_copy|(?:cuda|hip)Memcpy\w*)\s*(?=\()"
LABELLED = (
    r"\bKokkos::Profiling::(?:pushRegion|(?:ScopedRegion|ProfilingSection)(?:\s+(?:const\s+)?\w+)?)\s*(?=[({])"
    r"|\bKokkos::kokkos_malloc\s*(?:<[^;()]*>)?\s*(?=\()"
    r"|(?:\bKokkos::|\.|->)fence\s*(?=\()"
    r"|\bview_alloc\s*(?=\()"
    r"|\bKokkos::View<[^;(){}]*>(?:\s+(?:const\s+)?\w+)?\s*(?=[({])")
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|(?P<text>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\')',
    re.DOTALL)


def blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def code(text: str) -> str:
    """Without comments, every place where it was."""
    return TOKEN.sub(lambda m: m[0] if m["text"] else blank(m[0]), text)


def bare_code(text: str) -> str:
    """Without comments and the insides of literals, every place where it was."""
    return TOKEN.sub(lambda m: m[0][0] + blank(m[0][1:-1]) + m[0][-1] if m["text"] else blank(m[0]), text)


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def matches(pattern: str, text: str) -> Iterator[tuple[re.Match, int]]:
    for match in re.finditer(pattern, text, re.MULTILINE):
        yield match, line_of(text, match.start())


def cpp(files: Files, *folders: str) -> Iterator[tuple[str, str]]:
    return ((p, t) for p, t in files.items() if p.endswith((".hpp", ".cpp", ".hpp.in")) and p.startswith(folders or ""))


def headers(files: Files, *folders: str) -> Iterator[tuple[str, str]]:
    return ((p, t) for p, t in cpp(files, *folders) if ".hpp" in p)


def arguments(text: str, place: int) -> list[str]:
    """What stands between the bracket at this place and its end, cut at the commas that are no deeper."""
    depth, begin, found = 0, place + 1, []
    bare = bare_code(text)
    for i in range(place, len(text)):
        depth += (bare[i] in "([{") - (bare[i] in ")]}")
        if depth == 0 or (depth == 1 and bare[i] == ","):
            found.append(text[begin:i].strip())
            begin = i + 1
        if depth == 0:
            break
    return found


# Every file


@rule
def licence(files: Files) -> Found:
    """Two SPDX lines at the top, after a script's first."""
    wanted = ["SPDX-FileCopyrightText: The onetrip authors", "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"]
    for path, text in files.items():
        suffixes = (".hpp", ".cpp", ".hpp.in", ".cmake", ".cmake.in", "CMakeLists.txt", ".py", ".sh", ".yaml", ".yml")
        if path.endswith(suffixes) or text.startswith("#!"):
            lines = [line.lstrip("/# ") for line in text.splitlines()[: 3 if text.startswith("#!") else 2]]
            if lines[-2:] != wanted:
                yield path, 1, "does not begin with the two SPDX lines"


@rule
def whitespace(files: Files) -> Found:
    for path, text in files.items():
        for _, line in matches(r"[ \t\r]+$", text):
            yield path, line, "ends in blanks"
        if text and not text.endswith("\n"):
            yield path, text.count("\n") + 1, "the last line has no end"


@rule
def leftover(files: Files) -> Found:
    for path, text in files.items():
        for match, line in matches(r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b", text):
            yield path, line, f"{match[0]}: do it, or say in words what is missing"


@rule
def machine_path(files: Files) -> Found:
    """Nothing names a place of one machine."""
    for path, text in files.items():
        for match, line in matches(r"(?<![\w.$}~-])/(?:home|work|Users)/\w+", text):
            yield path, line, f"{match[0]} is a place of one machine"


@rule
def host_name(files: Files) -> Found:
    """A mirror or a proxy of one site helps nobody else."""
    for path, text in files.items():
        for match, line in matches(r"\b(?:https?|ftp)://([\w.-]*\w)", text):
            if match[1] not in KNOWN_HOSTS and path != "LICENSE":
                yield path, line, f"{match[1]} is not among the hosts that tools/lint.d/rules.py knows"


# Sources


@rule
def pragma_once(files: Files) -> Found:
    for path, text in headers(files):
        if not re.search(r"^#pragma once$", text, re.MULTILINE):
            yield path, 1, "a header without #pragma once"


@rule
def length(files: Files) -> Found:
    for path, text in files.items():
        is_header = path.startswith(("src/", "apps/")) and ".hpp" in path
        is_test = path.startswith("tests/") and path.endswith((".hpp", ".cpp", ".py"))
        limit = 300 if is_header else 400
        if (is_header or is_test) and (lines := text.count("\n")) >= limit:
            yield path, lines, f"{lines} lines, {limit} or more: it holds two things"


@rule
def endl(files: Files) -> Found:
    for path, text in cpp(files):
        for _, line in matches(r"\bstd::endl\b", bare_code(text)):
            yield path, line, "std::endl: '\\n', and std::flush where it is meant"


@rule
def using_namespace(files: Files) -> Found:
    for path, text in headers(files):
        for _, line in matches(r"\busing\s+namespace\b", bare_code(text)):
            yield path, line, "using namespace in a header"


@rule
def macro(files: Files) -> Found:
    for path, text in cpp(files, "src/"):
        for match, line in matches(r"^\s*#\s*define\s+(?!ONETRIP_)(\w+)", bare_code(text)):
            yield path, line, f"{match[1]}: a macro of the library begins with ONETRIP_"


@rule
def assertion(files: Files) -> Found:
    for path, text in cpp(files, "src/"):
        for _, line in matches(r"\bassert\s*\(", bare_code(text)):
            yield path, line, "assert: throw onetrip::error, which holds in every build type"


@rule
def foreign_error(files: Files) -> Found:
    """The library throws onetrip::error and the kinds below it."""
    own = {"error"}
    bases = {m[1]: m[2] for _, t in cpp(files, "src/") for m in re.finditer(
        r"\bclass\s+(?:\[\[.*?\]\]\s*)?(\w+)\s+(?:final\s+)?:\s*public\s+(?:onetrip::)?([\w:]+)", t)}
    while below := {name for name, base in bases.items() if base in own} - own:
        own |= below
    for path, text in cpp(files, "src/"):
        for match, line in matches(r"\bthrow\s+(?:onetrip::)?([\w:]+)", bare_code(text)):
            if match[1] not in own:
                yield path, line, f"throws {match[1]}, which is not of onetrip::error's kind"


# Who includes whom


@rule
def umbrella(files: Files) -> Found:
    """Programs and samples show what a user writes."""
    for path, text in cpp(files, "apps/", "docs/"):
        for match, line in matches(r'^\s*#\s*include\s*[<"](onetrip/(?!onetrip\.hpp|mpi/)[^>"]*)', text):
            yield path, line, f"includes {match[1]}: programs and samples include <onetrip/onetrip.hpp> only"


@rule
def against_the_flow(files: Files) -> Found:
    part = re.compile(r"onetrip/(\w+)")
    for path, text in cpp(files, "src/"):
        own = part.search(path)[1]
        if own in LAYERS | {"ledger"}:
            for match, line in matches(r'^\s*#\s*include\s*[<"](onetrip/(\w+)[^>"]*)', text):
                if match[2] in LAYERS - {own}:
                    yield path, line, f"{own} includes {match[1]}"
                if match[1] == "onetrip/onetrip.hpp":
                    yield path, line, f"{own} includes the umbrella"


@rule
def file_set(files: Files) -> Found:
    """Builds, installation and the check that headers compile alone see what CMakeLists.txt lists."""
    lists = files.get("CMakeLists.txt", "")
    listed = {m[1]: line for m, line in matches(r"^\s*(src/onetrip/\S+?\.hpp)\b(?!\.in)", lists)}
    there = {p for p in files if re.match(r"src/onetrip/(?!tool/).*\.hpp$", p)}  # the tool's are its own
    for path in sorted(there - listed.keys()):
        yield path, 1, "is not in the FILE_SET of CMakeLists.txt"
    for path in sorted(listed.keys() - there):
        yield "CMakeLists.txt", listed[path], f"lists {path}, which is not there"


# What Kokkos is asked for


@rule
def kernel_place(files: Files) -> Found:
    for path, text in cpp(files, "src/"):
        if path != "src/onetrip/detail/launch.hpp":
            text = bare_code(text)
            for match, line in matches(START, text):
                if not NESTED.match(text, match.end()):
                    yield path, line, f"{match[0]}: only detail/launch.hpp starts kernels"


@rule
def copy_place(files: Files) -> Found:
    for path, text in cpp(files, "src/"):
        if path != "src/onetrip/detail/transfer.hpp":
            for match, line in matches(COPY, bare_code(text)):
                yield path, line, f"{match[0]}: only detail/transfer.hpp copies"


@rule
def label(files: Files) -> Found:
    """What is started, allocated or fenced says whose it is: a literal that follows the rule of
    tests/support/labels.hpp, or something named label. What no text shows, the tests see when it runs."""
    for path, text in cpp(files, "src/", "apps/"):
        prefix = "apps" if path.startswith("apps/common/") else path.split("/")[1]
        bare, text = bare_code(text), code(text)
        for match, line in [*matches(START, bare), *matches(LABELLED, bare)]:
            given = arguments(text, match.end())
            words = match[0].strip(" .->")
            literals = [a for a in given if a.startswith('"')]
            must = "parallel_" in words or words.endswith("fence")
            if NESTED.match(bare, match.end()):
                continue
            if must and given[0][:1] != '"' and not re.match(r"(?:text\()?[\w.:>-]*(?:label|name)\w*\b", given[0]):
                yield path, line, f"{words} without a label"
            for literal in literals:
                whole = re.fullmatch(r'"(.*)"', literal)
                pattern = rf'"{prefix}::\w+::\w+"' if whole else rf'"{prefix}::\w+::\w*"\s*\+.*'
                if not re.fullmatch(pattern, literal, re.DOTALL):
                    yield path, line, f"{words}: the label {literal} is not {prefix}::<operation>::<step>"
