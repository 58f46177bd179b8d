"""A browser without JavaScript: pages as elements, forms sent as they stand."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import httpx

__all__ = ["Browser", "Element", "Page"]

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "path", "circle", "source"}


class Element:
    """An element: its tag, attributes and children; ``text`` is all text within."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes[name] or ""

    def get(self, name: str) -> str | None:
        """An attribute; None where there is none, empty where it has no value."""
        return None if name not in self.attributes else self.attributes[name] or ""

    @property
    def text(self) -> str:
        """All text within."""
        return "".join(one if isinstance(one, str) else one.text for one in self.children)

    @property
    def words(self) -> str:
        """The same with all white space as single blanks."""
        return " ".join(self.text.split())

    def all(self, tag: str | None = None, **attributes: str) -> list[Element]:
        """Elements within, by tag and attributes; ``cls`` is one of its classes."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                if (tag is None or child.tag == tag) and child._is(attributes):
                    found.append(child)
                found += child.all(tag, **attributes)
        return found

    def one(self, tag: str | None = None, **attributes: str) -> Element:
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def _is(self, wanted: dict[str, str]) -> bool:
        for name, value in wanted.items():
            if name == "cls":
                if value not in (self.get("class") or "").split():
                    return False
            elif self.get(name.rstrip("_").replace("_", "-")) != value:
                return False
        return True


class Page(HTMLParser):
    """A page as an answer brought it."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__()
        self.response = response
        self.status = response.status_code
        self.root = self._at = Element("", {}, None)
        self.feed(response.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        element = Element(tag, dict(attrs), self._at)
        self._at.children.append(element)
        if tag not in VOID:
            self._at = element

    def handle_endtag(self, tag: str) -> None:
        """End the element, and whatever within it was left open."""
        at: Element | None = self._at
        while at is not None and at.tag != tag:
            at = at.parent
        if at is not None and at.parent is not None:
            self._at = at.parent

    def handle_data(self, data: str) -> None:
        """Note text."""
        self._at.children.append(data)

    def fields(self, form: Element) -> dict[str, list[str]]:
        """What sending ``form`` as it stands would send, without a button."""
        sent: dict[str, list[str]] = {}
        for element in form.all():
            name = element.get("name")
            if not name or element.get("disabled") is not None or element.tag == "button":
                continue
            if element.tag == "select":
                options = element.all("option")
                chosen = [one for one in options if one.get("selected") is not None] or options[:1]
                value = chosen[0].get("value")
                sent.setdefault(name, []).append(chosen[0].text if value is None else value)
            elif element.tag == "textarea":
                sent.setdefault(name, []).append(element.text.removeprefix("\n"))
            elif (
                element.get("type") not in ("checkbox", "radio") or "checked" in element.attributes
            ):
                sent.setdefault(name, []).append(element.get("value") or "")
        return sent


class Browser:
    """Gets pages and sends their forms through ``client``; one redirection is followed."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.headers = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}

    def get(self, path: str) -> Page:
        """The page at ``path``."""
        return Page(self.client.get(path, headers=self.headers, follow_redirects=False))

    def send(self, page: Page, form: Element, **changes: Any) -> Page:
        """The page that sending ``form`` leads to; ``changes`` by field, a list for several values,
        None for none; a button is a field too."""
        sent = page.fields(form)
        for name, value in changes.items():
            sent.pop(name := name.rstrip("_"), None)
            if value is not None:
                sent[name] = value if isinstance(value, list) else [value]
        origin = str(self.client.base_url).rstrip("/")
        answer = self.client.post(
            urljoin(str(page.response.url), form["action"]),
            data=sent,
            headers={**self.headers, "Origin": origin, "Sec-Fetch-Site": "same-origin"},
            follow_redirects=False,
        )
        if answer.status_code == 303:
            return self.get(answer.headers["location"])
        return Page(answer)
