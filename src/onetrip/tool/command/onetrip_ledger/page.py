# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A ledger as one page of HTML that needs no network."""

import json
from html import escape

from . import text
from .ledger_file import PROOFS, Fault, Totals

COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#999933", "#777777")
MOST_ROWS = 200
MOST_LABELS = 20

# Nothing is loaded, whatever a label says.
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>
body {{ font: 15px/1.45 sans-serif; color: #222; max-width: 75em; margin: 2em auto; padding: 0 1em; }}
table {{ border-collapse: collapse; margin: 0.5em 0 1.5em; }}
th, td {{ text-align: left; vertical-align: top; padding: 0.2em 0.9em 0.2em 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }}
.n {{ text-align: right; white-space: nowrap; }}
.PROVEN {{ color: #b30000; }} .LIKELY {{ color: #9a5b00; }}
.finding {{ border-left: 4px solid #ccc; padding-left: 1em; margin: 1em 0; }}
pre {{ overflow-x: auto; }}
</style>
</head>
<body>
"""


def page(ledger):
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise Fault("html: needs plotly, which this Python has not (python3 -m pip install plotly)") from None
    title = f"Ledger of {_shown(ledger.start.get('program') or 'a program')}"
    flows = list(dict.fromkeys(sort.flow for sort in ledger.rows if sort.kind in ledger.history.KINDS))
    colours = {flow: COLOURS[i % len(COLOURS)] for i, flow in enumerate(flows)}
    figures = {"over_time": _over_time(ledger, colours), "labels": _top_labels(ledger, colours)}
    figures = {name: figure for name, figure in figures.items() if figure}
    parts = [HEAD.format(title=title), f"<h1>{title}</h1>\n", _facts(ledger), _totals(ledger), _findings(ledger)]
    if "over_time" in figures:
        parts.append('<h2>Bytes over time</h2>\n<div id="over_time"></div>\n')
    if "labels" in figures:
        parts.append('<h2>Bytes by label</h2>\n<div id="labels"></div>\n')
    parts += [_peaks(ledger), _rows(ledger)]
    if figures:
        # Labels are escaped for plotly already; nothing else that may come can end the script.
        data = json.dumps(figures).replace("<", "\\u003c")
        draw = "for (const [id, f] of Object.entries(figures)) Plotly.newPlot(id, f.data, f.layout, {displaylogo: false, responsive: true});"
        parts += ["<script>", get_plotlyjs().replace("</script", "<\\/script"), "</script>\n<script>\nconst figures = ", data, f";\n{draw}\n</script>\n"]
    return "".join([*parts, "</body>\n</html>\n"])


def _shown(value):
    return escape(text.clean(value))


def _table(head, rows, numbers=()):
    """Cells are HTML already; those in the columns `numbers` stand at the right."""
    def line(tag, cells):
        ends = (f'<{tag} class="n">{c}</{tag}>' if i in numbers else f"<{tag}>{c}</{tag}>" for i, c in enumerate(cells))
        return f"<tr>{''.join(ends)}</tr>\n"

    return f"<table>\n{line('th', head) if head else ''}{''.join(line('td', row) for row in rows)}</table>\n"


def _facts(ledger):
    start, rows = ledger.start, []
    for name in ("host", "pid", "rank", "ranks", "time", "version", "settings", "contents", "interface"):
        if start.get(name) not in (None, ""):
            rows.append((name, _shown(start[name])))
    if "merged" in start:
        rows.append(("merged from", f"{_shown(start['merged'])} processes"))
    if ledger.end is None:
        rows.append(("end", "none: the file ends before the program did, so the totals are those up to there"))
    else:
        rows.append(("end", f"after {_shown(ledger.end.get('t'))} s, {_shown(ledger.end.get('events'))} events"))
    rows += [("problem", _shown(problem)) for problem in ledger.problems]
    return _table((), rows)


def _totals(ledger):
    sums = {}
    for sort, totals in ledger.rows.items():
        sums.setdefault(sort.flow, Totals()).add(totals)
    rows = [(_shown(flow), f"{t.count:,}", text.size(t.bytes), f"{t.seconds:.3f}") for flow, t in sums.items()]
    return "<h2>Totals</h2>\n" + _table(("what", "events", "bytes", "seconds, where known"), rows, (1, 2, 3))


def _findings(ledger):
    found = sorted(ledger.findings.values(), key=lambda f: (-PROOFS.index(f["proof"]), -f["bytes_saved"]))
    if not found:
        return "<h2>Findings</h2>\n<p>None.</p>\n"
    parts = ["<h2>Findings</h2>\n"]
    for f in found:
        where = text.place(*(f.get(name) or "" for name in ("label", "space", "source", "source_space", "region")))
        ranks = f" on {_shown(f['ranks'])} ranks" if "ranks" in f else ""
        stack = "\n".join(_shown(line) for line in f.get("stack") or [])
        parts.append(
            f'<div class="finding"><b>{_shown(f.get("id"))} <span class="{f["proof"]}">{f["proof"]}</span></b> {escape(where)}{ranks}<br>\n'
            f"{_shown(f.get('what') or '')}<br>\n<b>Fix:</b> {_shown(f.get('fix') or '')}<br>\n"
            f"{f['count']:,} events, {text.size(f['bytes'])}; mended, {f['count_saved']:,} events and {text.size(f['bytes_saved'])} less\n"
            + (f"<details><summary>Where, the first time</summary><pre>{stack}</pre></details>\n" if stack else "")
            + "</div>\n"
        )
    return "".join(parts)


def _layout(title, height, **more):
    return {"height": height, "margin": {"l": 60, "r": 20, "t": 20, "b": 50}, "barmode": "stack", "xaxis": {"title": title}, "showlegend": True, **more}


def _over_time(ledger, colours):
    """Of a merged ledger there is none: its processes' clocks began apart."""
    samples = [(0.0, {}), *ledger.history.samples()]
    if "merged" in ledger.start or not ledger.history.so_far:
        return None
    steps = [(b, a, after, before) for (b, before), (a, after) in zip(samples, samples[1:]) if a > b]
    data = []
    for flow in ledger.history.so_far:
        rate = [(after.get(flow, 0) - before.get(flow, 0)) / (a - b) / 1e6 for b, a, after, before in steps]
        data.append({
            "type": "bar", "name": escape(flow), "x": [b for b, *_ in steps], "width": [a - b for b, a, *_ in steps],
            "offset": 0, "y": rate, "marker": {"color": colours[flow], "line": {"width": 0}},
        })
    return {"data": data, "layout": _layout("seconds since the start", 380, yaxis={"title": "MB/s"})}


def _top_labels(ledger, colours):
    """A copy counts for the View it writes."""
    sums = {}
    for sort, totals in ledger.rows.items():
        if sort.kind in ledger.history.KINDS and totals.bytes:
            of = sums.setdefault(sort.label, {})
            of[sort.flow] = of.get(sort.flow, 0) + totals.bytes
    top = sorted(sums.items(), key=lambda item: sum(item[1].values()))[-MOST_LABELS:]
    if not top:
        return None
    names = [label if len(label) <= 60 else label[:59] + "…" for label, _ in top]
    names = [escape(text.clean(name), quote=False) for name in names]  # plotly reads tags, and no entity of quotes
    data = [
        {
            "type": "bar", "orientation": "h", "name": escape(flow), "y": list(range(len(top))),
            "x": [of.get(flow, 0) for _, of in top], "marker": {"color": colour},
        }
        for flow, colour in colours.items() if any(flow in of for _, of in top)
    ]
    axis = {"tickvals": list(range(len(top))), "ticktext": names, "automargin": True}
    return {"data": data, "layout": _layout("bytes", 140 + 24 * len(top), yaxis=axis)}


def _peaks(ledger):
    rows = [(_shown(space), text.size(peak)) for space, peak in sorted(ledger.peaks.items())]
    title = "the highest of the ranks" if "merged" in ledger.start else "peak"
    return "<h2>Memory</h2>\n" + _table(("space", title), rows, (1,)) if rows else ""


def _rows(ledger):
    order = sorted(ledger.rows.items(), key=lambda item: (-item[1].bytes, -item[1].count))
    head = ["what", "events", "bytes", "seconds"]
    if ledger.spreads:
        head += ["least and most events", "least and most bytes"]
    rows = []
    for sort, totals in order[:MOST_ROWS]:
        row = [escape(text.sort(sort)), f"{totals.count:,}", text.size(totals.bytes), f"{totals.seconds:.3f}"]
        if ledger.spreads:
            spread = ledger.spreads.get(sort, {})
            row += [_spread(spread.get("count"), str), _spread(spread.get("bytes"), text.size)]
        rows.append(row)
    title = f"the {len(rows)} largest of {len(order)}" if len(rows) < len(order) else "all"
    return f"<h2>Rows, {title}</h2>\n" + _table(head, rows, (1, 2, 3, 4, 5))


def _spread(of, shown):
    if not of or of["min"] == of["max"]:
        return ""
    return f"{shown(of['min'])} (rank {_shown(of['min_rank'])}), {shown(of['max'])} (rank {_shown(of['max_rank'])})"
