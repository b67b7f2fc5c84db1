#!/usr/bin/env python3
"""Tables and plots of what congestion.sh left in its output directory.

usage: congestion.py table DIR       the table, as Markdown
       congestion.py draw SVG DIR    the plot: a panel for each topology and figure
The same files give the same plot, byte for byte.
"""
import json
import os
import sys

PATTERNS = ("windy", "hot-spot", "victim")
COLOURS = {"off": "#8a94a3", "published": "#1f5fa8", "scaled": "#c2571a", "tuned": "#0b7a6d"}
TABLED = (*COLOURS, "scaled:32")  # the plot has no room for more bars
FIGURES = (("others", "share of other hosts"), ("hotSpots", "share of hot spots"), ("fairness", "fairness of contributors"))
PANEL, GAP, HEIGHT, BASE = 250, 46, 210, 140


def read(directory):
    """By topology and pattern: the number of hosts, and the rows by settings."""
    found = {}
    for name in sorted(os.listdir(directory)):
        topology, _, pattern = name.removesuffix(".json").partition("-")
        if name.endswith(".json") and pattern in PATTERNS:
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                report = json.load(file)
            rows = {row["name"]: row for row in report["rows"] if row["name"] in TABLED}
            found.setdefault(topology, {})[pattern] = report["hosts"], rows, report["settings"]
    return found


def title(topology):
    """torus_8x8x8_hosts_2 is torus:8x8x8,hosts=2."""
    kind, _, rest = topology.partition("_")
    return kind + ":" + rest.replace("_hosts_", ",hosts=").replace("_", ",")


def table(directory):
    print("| | " + " | ".join("%s, %s" % (word, name) for _, word in FIGURES for name in TABLED) + " |")
    print("|" + "---|" * (1 + len(FIGURES) * len(TABLED)))
    for topology, patterns in read(directory).items():
        for pattern in PATTERNS:
            if pattern in patterns:
                rows = patterns[pattern][1]
                cells = ["%.3f" % rows[name][key] if name in rows else "" for key, _ in FIGURES for name in TABLED]
                print("| %s, `%s` | %s |" % (title(topology), pattern, " | ".join(cells)))


def text(x, y, words, anchor="middle", size=11):
    return '<text x="%g" y="%g" text-anchor="%s" font-size="%d">%s</text>' % (x, y, anchor, size, words)


def panel(x, y, head, patterns, key):
    lines = [text(x, y + 12, head, "start", 12)]
    most = 1 if key != "others" else 0.5
    for share in (0, 0.5, 1):
        at = y + 30 + (BASE - 10) * (1 - share)
        lines.append('<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#ccc"/>' % (x, at, x + PANEL, at))
        lines.append(text(x - 4, at + 4, "%g" % (most * share), "end"))
    width = PANEL / len(PATTERNS)
    for i, pattern in enumerate(PATTERNS):
        rows = patterns[pattern][1] if pattern in patterns else {}
        for j, name in enumerate(COLOURS):
            if name in rows:
                height = (BASE - 10) * min(1, rows[name][key] / most)
                lines.append('<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>' % (
                    x + i * width + width * (0.1 + 0.2 * j), y + 20 + BASE - height, width * 0.18, height, COLOURS[name]))
        lines.append(text(x + (i + 0.5) * width, y + 34 + BASE, pattern))
    return lines


def draw(path, directory):
    found = read(directory)
    lines = []
    for i, (topology, patterns) in enumerate(found.items()):
        hosts = max(hosts for hosts, _, _ in patterns.values())
        for j, (key, word) in enumerate(FIGURES):
            head = "{}, {:,} hosts: {}".format(title(topology), hosts, word) if j == 0 else word
            lines += panel(40 + j * (PANEL + GAP), 30 + i * HEIGHT, head, patterns, key)
    for i, name in enumerate(COLOURS):
        lines.append('<rect x="%d" y="8" width="10" height="10" fill="%s"/>' % (40 + 90 * i, COLOURS[name]))
        lines.append(text(54 + 90 * i, 17, name, "start"))
    size = (40 + len(FIGURES) * (PANEL + GAP), 30 + len(found) * HEIGHT)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">\n' % size)
        file.write('<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(lines) + "\n</svg>\n")


if len(sys.argv) == 3 and sys.argv[1] == "table":
    table(sys.argv[2])
elif len(sys.argv) == 4 and sys.argv[1] == "draw":
    draw(sys.argv[2], sys.argv[3])
else:
    sys.exit(__doc__)
