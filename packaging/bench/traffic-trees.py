#!/usr/bin/env python3
"""Tables and plots of what traffic-trees.sh left in its output directories.

usage: traffic-trees.py table DIR            the table, as Markdown
       traffic-trees.py mean DIR STATE TABLES   the mean of shifts of tables such as "OpenSM ftree"
       traffic-trees.py draw SVG DIR...      a plot, a row of panels for each directory
The same files give the same plot, byte for byte.
"""
import json
import os
import sys

STATES = ("whole", "broken")
COLOURS = {"whole": "#1f5fa8", "broken": "#c2571a"}
PANEL, GAP, HEIGHT, BASE = 340, 50, 200, 160


def read(directory):
    """By engine, state and pattern: the row."""
    rows = {}
    for name in sorted(os.listdir(directory)):
        state, _, pattern = name.removesuffix(".json").partition("-")
        if name.endswith(".json") and state in STATES:
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                for row in json.load(file)["rows"]:
                    rows.setdefault(label(row["engine"]), {})[state, pattern] = row
    return rows


def label(engine):
    """OpenSM-ftree-whole is the directory of a dump."""
    words = os.path.basename(engine).split("-")
    return "OpenSM " + words[1] if words[0] == "OpenSM" else "torus-sm " + engine


def patterns(rows):
    return sorted({pattern for row in rows.values() for _, pattern in row}, reverse=True)


def accepted(row):
    if row is None or not row["runs"]:
        return None
    return None if row["runs"][-1]["hangs"] else row["runs"][-1]["accepted"]


def cells(row):
    if row is None:
        return "", ""
    if not row["runs"]:
        return "refused", ""
    lost = ", %d pairs without a path" % row["lost"] if row["lost"] else ""
    return "%d, %.2f%s" % (row["worstShift"], row["meanShift"], lost), "%d" % row["freeShifts"]


def table(directory):
    rows = read(directory)
    head = ["tables"]
    for state in STATES:
        head += [state + ": worst and mean of shifts", "free shifts", *(name + " at full load" for name in patterns(rows))]
    print("| " + " | ".join(head) + " |\n" + "|" + "---|" * len(head))
    for engine, row in rows.items():
        line = [engine]
        for state in STATES:
            line += cells(next((row[key] for key in sorted(row) if key[0] == state), None))
            for pattern in patterns(rows):
                found = row.get((state, pattern))
                share = accepted(found)
                line.append("hangs" if found and found["runs"] and share is None else "" if share is None else "%.2f" % share)
        print("| " + " | ".join(line) + " |")


def text(x, y, words, anchor="middle", size=11):
    return '<text x="%g" y="%g" text-anchor="%s" font-size="%d">%s</text>' % (x, y, anchor, size, words)


def panel(x, y, title, bars, most):
    """Bars are an engine and its values by state."""
    lines = [text(x, y + 12, title, "start", 12)]
    for share in (0, 0.5, 1):
        at = y + 30 + (BASE - 10) * (1 - share)
        lines.append('<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#ccc"/>' % (x, at, x + PANEL, at))
        lines.append(text(x - 4, at + 4, "%.3g" % (most * share), "end"))
    width = PANEL / len(bars)
    for i, (engine, values) in enumerate(bars):
        for j, state in enumerate(STATES):
            if values[j] is not None:
                height = (BASE - 10) * values[j] / most
                lines.append('<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>' % (
                    x + i * width + width * (0.15 + 0.35 * j), y + 20 + BASE - height, width * 0.33, height, COLOURS[state]))
        for k, word in enumerate(engine.split(" ")):
            lines.append(text(x + (i + 0.5) * width, y + 34 + BASE + 11 * k, word, size=9))
    return lines


def draw(path, directories):
    lines = []
    for i, directory in enumerate(directories):
        rows = read(directory)
        hosts = max(row["hosts"] for by in rows.values() for row in by.values())
        value = lambda by, key, of: of(by[key]) if key in by and by[key]["runs"] else None
        name = patterns(rows)[0]
        shifts = [(engine, [value(by, (state, name), lambda row: row["meanShift"]) for state in STATES]) for engine, by in rows.items()]
        loads = [(engine, [value(by, (state, name), accepted) for state in STATES]) for engine, by in rows.items()]
        top = 30 + i * (HEIGHT + 40)
        lines += panel(40, top, "{:,} hosts: hosts over the busiest cable, mean of all shifts".format(hosts), shifts,
                       max(filter(None, (each for _, values in shifts for each in values))))
        lines += panel(40 + PANEL + GAP, top, "{:,} hosts: accepted of full load, {}".format(hosts, name), loads, 1)
    for i, state in enumerate(STATES):
        lines.append('<rect x="%d" y="8" width="10" height="10" fill="%s"/>' % (40 + 80 * i, COLOURS[state]))
        lines.append(text(54 + 80 * i, 17, state, "start"))
    size = (40 + 2 * PANEL + GAP + 10, 30 + len(directories) * (HEIGHT + 40))
    with open(path, "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">\n' % size)
        file.write('<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(lines) + "\n</svg>\n")


if len(sys.argv) == 3 and sys.argv[1] == "table":
    table(sys.argv[2])
elif len(sys.argv) > 3 and sys.argv[1] == "draw":
    draw(sys.argv[2], sys.argv[3:])
elif len(sys.argv) == 5 and sys.argv[1] == "mean":
    row = next((row for key, row in read(sys.argv[2]).get(sys.argv[4], {}).items() if key[0] == sys.argv[3] and row["runs"]), None)
    print("" if row is None else "%.2f" % row["meanShift"])
else:
    sys.exit(__doc__)
