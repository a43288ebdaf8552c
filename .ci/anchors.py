"""Checks that each link in the documentation built by rustdoc leads to an element that exists: anchors.py DIRECTORY

rustdoc itself does not check the part of a link after `#`. Links to sources, which the pages have on a code host and which
codec/src/guide/items.txt replaces in rustdoc, are dead."""

import functools
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.forwards_to = set(), set(), None
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        link = attributes.get("href") or ""
        if tag == "a" and ("#" in link or link.endswith((".md", ".rs"))):
            self.links.add(link)
        if attributes.get("http-equiv") == "refresh":
            self.forwards_to = attributes["content"].partition("URL=")[2]


@functools.cache
def page(path):
    return Page(path)


def leads_nowhere(path, link):
    place, anchor = urllib.parse.urldefrag(link)
    if urllib.parse.urlsplit(link).scheme:
        return False
    if place.endswith((".md", ".rs")):
        return True
    if not anchor:
        return False
    target = (path.parent / place).resolve() if place else path
    # The lines of a source file get their anchors from a script.
    if target.is_relative_to(root / "src"):
        return False
    while target.is_file() and page(target).forwards_to:
        target = (target.parent / page(target).forwards_to).resolve()
    # rustdoc writes some identifiers as they are in links.
    return not target.is_file() or page(target).ids.isdisjoint({anchor, urllib.parse.unquote(anchor)})


root = pathlib.Path(sys.argv[1]).resolve()
paths = sorted(root.glob("linkstream*/**/*.html"))
links = [(path, link) for path in paths for link in sorted(page(path).links)]
dead = [(path, link) for path, link in links if leads_nowhere(path, link)]
for path, link in dead:
    print(f"{path.relative_to(root)}: {link} leads nowhere")
print(f"{len(links)} links to parts of {len(paths)} pages, {len(dead)} of them dead")
sys.exit(not links or bool(dead))
