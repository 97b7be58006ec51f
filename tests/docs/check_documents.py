# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the documents show and point at is there: each C++ or CMake block follows a comment that names its sample and stands
in that file line for line, each link within the repository leads somewhere, and what fuse rejects is explained."""

import pathlib
import re
import sys

BLOCK = re.compile(r"(?:<!-- sample: (?P<file>\S+) -->\n)?```(?:cpp|cmake)\n(?P<code>.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")


def faults(document: pathlib.Path) -> list[str]:
    text = document.read_text()
    found = []
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        if block["file"] is None:
            found.append(f"{document}:{line}: a block without a sample file")
        elif block["code"] not in (document.parent / block["file"]).read_text():
            found.append(f"{document}:{line}: not what stands in {block['file']}")
    for link in LINK.finditer(text):
        if not (document.parent / link["target"]).exists():
            line = text[: link.start()].count("\n") + 1
            found.append(f"{document}:{line}: {link['target']} is not there")
    return found


top = pathlib.Path(sys.argv[1])
documents = sorted({*top.glob("*.md"), *(top / "docs").rglob("*.md"), *(top / "apps").rglob("*.md"), *(top / "bench").rglob("*.md")})
blocks = sum(len(BLOCK.findall(d.read_text())) for d in documents)
wrong = [fault for d in documents for fault in faults(d)]
rejected = re.findall(r"// rejected: (.*)", (top / "tests/rejects/fuse.cpp").read_text())
explained = (top / "docs/fuse-errors.md").read_text()
wrong += [f"docs/fuse-errors.md: lacks '{text}'" for text in sorted({*rejected}) if text not in explained]
print(*wrong, f"{blocks} blocks in {len(documents)} documents", sep="\n")
sys.exit(1 if wrong or not blocks else 0)
