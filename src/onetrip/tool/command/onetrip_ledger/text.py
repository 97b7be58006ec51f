# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How things are named and numbers written, for people."""


def clean(text):
    """A label may hold anything; a terminal may not be told it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def quoted(text):
    return '"' + clean(text).replace('"', '\\"') + '"'


def size(number):
    """Bytes in decimal units, as vendors of memory write them: 1.5 GB."""
    for unit, power in (("TB", 12), ("GB", 9), ("MB", 6), ("kB", 3)):
        if number >= 10**power:
            return f"{number / 10**power:.4g} {unit}"
    return f"{number} B"


def change(before, after):
    """Two sizes; to the byte where they would look alike."""
    if before == after:
        return size(after)
    if size(before) == size(after):
        return f"{before} B -> {after} B"
    return f"{size(before)} -> {size(after)}"


def place(label, space, source, source_space, region):
    """What a copy, a kernel or a finding was about."""
    words = [quoted(label)] if label else []
    words += [f"({clean(space)})"] if space else []
    if source or source_space:
        words += ["from", quoted(source), f"({clean(source_space)})"]
    words += [f"in {clean(region)}"] if region else []
    return " ".join(words)


def sort(of):
    """A row's sort."""
    words = f"{of.flow} {place(of.label, of.space, of.source, of.source_space, of.region)}".rstrip()
    return f"{words}, an upper bound" if of.upper_bound else words


def finding(entry):
    where = place(*(entry.get(name) or "" for name in ("label", "space", "source", "source_space", "region")))
    return f"{entry.get('id')} {entry['proof']} {where}: {clean(entry.get('what') or '')}"
