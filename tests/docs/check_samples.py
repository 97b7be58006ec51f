# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code in the documents is code that is compiled: each C++ block follows a comment that names its sample, and stands in
that file line for line."""

import pathlib
import re
import sys

BLOCK = re.compile(r"(?:<!-- sample: (?P<file>\S+) -->\n)?```cpp\n(?P<code>.*?)```", re.DOTALL)


def faults(document: pathlib.Path) -> list[str]:
    found = []
    for block in BLOCK.finditer(document.read_text()):
        line = document.read_text()[: block.start()].count("\n") + 1
        if block["file"] is None:
            found.append(f"{document}:{line}: a C++ block without a sample file")
        elif block["code"] not in (document.parent / block["file"]).read_text():
            found.append(f"{document}:{line}: not what stands in {block['file']}")
    return found


top = pathlib.Path(sys.argv[1])
documents = [top / "README.md", *sorted((top / "docs").rglob("*.md")), *sorted((top / "apps").rglob("*.md"))]
blocks = sum(len(BLOCK.findall(d.read_text())) for d in documents)
wrong = [fault for d in documents for fault in faults(d)]
print(*wrong, f"{blocks} blocks in {len(documents)} documents", sep="\n")
sys.exit(1 if wrong or not blocks else 0)
