"""This version's documentation, as pages without scripts. It ships with the program, whose messages link to it."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from portal.api_page import STYLE
from portal.errors import NotFound
from portal.shipped import DOCS

if TYPE_CHECKING:
    from markdown_it.token import Token

FIRST = "README.md"
#: The portal's address in examples; a site shows its own instead.
EXAMPLE_ORIGIN = "https://portal.example.org"
SERVED = (".md", ".png", ".json")
_STYLE = f"{STYLE} h1, h2 {{ text-transform: none; }} img {{ max-width: 100%; }}"


def file(path: str) -> Path:
    """Return the file of the documentation at this path. Raises NotFound."""
    wanted = (DOCS / path).resolve()
    if not wanted.is_relative_to(DOCS.resolve()) or not wanted.is_file() or wanted.suffix not in SERVED:
        raise NotFound("The documentation has no such page.")
    return wanted


@cache
def page(path: str) -> str:
    """Return a page as HTML. Raises NotFound."""
    from markdown_it import MarkdownIt  # only for readers of the documentation

    source = file(path)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(source.read_text(encoding="utf-8"))
    title = "Documentation"
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            words = _words(token)
            title = words if before.tag == "h1" else title
            before.attrSet("id", re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"))
        for child in token.children or []:
            if child.type == "link_open" and not _leads_somewhere(str(child.attrGet("href")), source):
                child.attrs.pop("href")
    home = "" if path == FIRST else f"<nav><a href='{'../' * path.count('/')}{FIRST}'>Documentation</a></nav>"
    html = markdown.renderer.render(tokens, markdown.options, {}).replace("<pre>", "<pre tabindex='0'>")
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{home}"
        f"<main>{html}</main></body></html>"
    )


def _words(heading: Token) -> str:
    """Return the text of a heading without its marks."""
    return "".join(child.content for child in heading.children or [])


def _leads_somewhere(target: str, source: Path) -> bool:
    """Return whether a link leads out, or to a file of the documentation: some lead to source code."""
    path = target.partition("#")[0]
    if not path or re.match(r"[a-z]+:", path):
        return True
    return (source.parent / path).resolve().is_relative_to(DOCS.resolve())
