#!/usr/bin/env python3
"""Writes the documentation as a static site with one search box, which works from the file system: site.py DIRECTORY

cmark-gfm renders the pages, as GitHub does; this adds anchors, links between pages, a frame, and the index of the search.
The same sources give the same bytes. Fails if a page links to what is not there.
"""
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "SECURITY.md")] + sorted((ROOT / "docs").rglob("*.md"))
FRAME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="{up}site.css"></head>
<body><header><a href="{up}docs/README.html">TorusSM {version}</a>
<input id="search" type="search" placeholder="Search the documentation" aria-label="Search" autocomplete="off" autofocus></header>
<ol id="found" hidden></ol><main>
{body}</main>
<script>const up = "{up}";</script><script src="{up}index.js"></script><script src="{up}site.js"></script></body></html>
"""
STYLE = """:root { color-scheme: light dark; --line: #8886; --code: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 0 1rem 4rem; }
header { position: sticky; top: 0; display: flex; gap: 1rem; align-items: center; padding: .6rem 0; background: Canvas; border-bottom: 1px solid var(--line); }
#search { flex: 1; font: inherit; padding: .3rem .6rem; }
#found { margin: 0; padding: .5rem 0 .5rem 1.5rem; border-bottom: 1px solid var(--line); }
#found small { display: block; opacity: .75; }
pre { overflow-x: auto; padding: .7rem; background: var(--code); } code { background: var(--code); } pre code { background: none; }
table { border-collapse: collapse; display: block; overflow-x: auto; } td, th { border: 1px solid var(--line); padding: .25rem .6rem; vertical-align: top; text-align: left; }
img { max-width: 100%; } :target { scroll-margin-top: 4rem; }
"""
SCRIPT = """// Sections that have all words, by the number of words in their headings and then by their place.
const box = document.getElementById("search"), found = document.getElementById("found");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : sections.map(section => {
    const title = (section.page + " " + section.title).toLowerCase(), text = section.text.toLowerCase();
    if (!words.every(word => title.includes(word) || text.includes(word))) return null;
    return {section, rank: words.filter(word => title.includes(word)).length, at: Math.max(0, text.indexOf(words[0]))};
  }).filter(Boolean).sort((a, b) => b.rank - a.rank).slice(0, 20);
  found.hidden = words.length === 0;
  found.replaceChildren(...hits.map(({section, at}) => {
    const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("small");
    link.href = up + section.href;
    link.textContent = section.page === section.title ? section.page : section.page + ": " + section.title;
    text.textContent = section.text.slice(Math.max(0, at - 60), at + 140);
    item.append(link, text);
    return item;
  }));
  if (!found.hidden && hits.length === 0) found.textContent = "No section has all of these words.";
});
box.value = new URLSearchParams(location.search).get("q") || "";
box.dispatchEvent(new Event("input"));
"""


def anchor(heading: str, taken: set) -> str:
    """Returns the anchor that GitHub gives a heading."""
    base = re.sub(r"[^\w\- ]", "", html.unescape(re.sub(r"<[^>]+>", "", heading)).lower()).replace(" ", "-")
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name


def text_of(fragment: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", fragment))).strip()


def main() -> None:
    out = Path(sys.argv[1])
    version = subprocess.run([ROOT / "packaging/version.sh"], capture_output=True, text=True, check=True).stdout.strip()
    anchors, bodies, sections, files, dead = {}, {}, [], set(), []
    for page in PAGES:
        relative = page.relative_to(ROOT)
        body = subprocess.run(
            ["cmark-gfm", "-e", "table", "-e", "strikethrough", page], capture_output=True, text=True, check=True).stdout
        taken = anchors[page] = set()
        body = re.sub(r"<(h[1-6])>(.*?)</\1>", lambda m: f'<{m[1]} id="{anchor(m[2], taken)}">{m[2]}</{m[1]}>', body, flags=re.S)
        bodies[page] = body
        parts = re.split(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>', body, flags=re.S)
        title = text_of(parts[2]) if len(parts) > 2 else relative.stem
        for name, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            href = f"{relative.with_suffix('.html').as_posix()}#{name}"
            sections.append({"page": title, "title": text_of(heading), "href": href, "text": text_of(text)})

    def linked(page: Path, target: str) -> str:
        if "://" in target:
            return target
        path, _, name = html.unescape(target).partition("#")
        file = (page.parent / path).resolve() if path else page
        if file in bodies:
            if name and name not in anchors[file]:
                dead.append(f"{page.relative_to(ROOT)}: {target}")
            return (path[:-3] + ".html" if path else "") + (f"#{name}" if name else "")
        if not file.is_file() or ROOT not in file.parents:
            dead.append(f"{page.relative_to(ROOT)}: {target}")
        files.add(file)
        return target

    for page, body in bodies.items():
        relative = page.relative_to(ROOT)
        body = re.sub(r'\b(href|src)="([^"]*)"', lambda m: f'{m[1]}="{linked(page, m[2])}"', body)
        title = next(section["page"] for section in sections if section["href"].startswith(relative.with_suffix(".html").as_posix()))
        place = out / relative.with_suffix(".html")
        place.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (len(relative.parts) - 1)
        place.write_text(FRAME.format(title=html.escape(title), up=up, version=version, body=body), encoding="utf-8")
    if dead:
        sys.exit("site.py: links to what is not there:\n" + "\n".join(dead))
    for file in sorted(files):
        place = out / file.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    (out / "site.css").write_text(STYLE, encoding="utf-8")
    (out / "site.js").write_text(SCRIPT, encoding="utf-8")
    (out / "index.js").write_text("const sections = " + json.dumps(sections, ensure_ascii=False) + ";\n", encoding="utf-8")
    (out / "index.html").write_text('<meta http-equiv="refresh" content="0; url=docs/README.html">\n', encoding="utf-8")


main()
