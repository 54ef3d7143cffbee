"""ODT that editors give back: what becomes a paragraph, what a remark, and what is refused."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from types import MappingProxyType

import pytest

from retold.drafts.files import read, write
from retold.drafts.manuscript import Coming, Going, Manuscript, Remark, Returned
from retold.journal.refused import Refused
from tests.retold.drafts.test_files import JOINED

pytestmark = pytest.mark.skipif(importlib.util.find_spec("lxml") is None, reason="needs retold[docx]")

NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
    for name, long in (
        *((name, name) for name in ("office", "style", "text", "table", "meta", "manifest")),
        *(("draw", "drawing"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible")),
    )
)
ROOT = f'{NAMESPACES} xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
TEXT = "application/vnd.oasis.opendocument.text"
STYLES = """
<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"/>
<style:style style:name="Title" style:family="paragraph"/>
<style:style style:name="Epigraph" style:family="paragraph"/>
<style:style style:name="Contents_20_1" style:display-name="Contents 1" style:family="paragraph"/>
<style:style style:name="Emphasis" style:family="text">
<style:text-properties fo:font-style="italic"/></style:style>
"""
AUTOMATIC = """
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:margin-left="1.27cm" fo:margin-right="0.5in"/>
<style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="P3" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:margin-left="1.27cm" fo:margin-right="0.0in"/></style:style>
<style:style style:name="T1" style:family="text" style:parent-style-name="Emphasis"/>
<style:style style:name="T2" style:family="text"><style:text-properties fo:font-weight="700"/></style:style>
<style:style style:name="T3" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="T4" style:family="text"><style:text-properties fo:font-style="normal"/></style:style>
"""
DRAFT = '<meta:user-defined meta:name="Retold">retold draft my%20first 4</meta:user-defined>'
NOTHING: MappingProxyType[str, str] = MappingProxyType({})


def odt(
    body: str, *, media: str = TEXT, before: str = "", parts: MappingProxyType[str, str] = NOTHING
) -> bytes:
    """Bytes of an ODT with this body."""
    packed = io.BytesIO()
    whole = {
        "content.xml": f"{before}<office:document-content {ROOT}><office:automatic-styles>{AUTOMATIC}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>",
        "styles.xml": f"<office:document-styles {ROOT}><office:styles>{STYLES}</office:styles>"
        "</office:document-styles>",
        "meta.xml": f"<office:document-meta {ROOT}><office:meta>{DRAFT}<dc:creator>Kim</dc:creator>"
        "</office:meta></office:document-meta>",
        **parts,
    }
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", media)
        for name, inside in whole.items():
            archive.writestr(name, inside)
    return packed.getvalue()


def p(inside: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{inside}</text:p>'


def span(style: str, inside: str) -> str:
    return f'<text:span text:style-name="{style}">{inside}</text:span>'


def shown(returned: Returned) -> list[tuple[str, str]]:
    return [(one.sort, one.text) for one in returned.paragraphs]


def region(change: str, sort: str, author: str, inside: str = "") -> str:
    about = f"<dc:creator>{author}</dc:creator><dc:date>2026-02-0{change[-1]}</dc:date>"
    return (
        f'<text:changed-region text:id="{change}"><text:{sort}><office:change-info>{about}'
        f"</office:change-info>{inside}</text:{sort}></text:changed-region>"
    )


def test_T20_tracked_changes_are_accepted_and_the_last_ones_author_is_known() -> None:
    body = (
        "<text:tracked-changes>"
        + region("ct1", "deletion", "Mo", p("run"))
        + region("ct2", "insertion", "Kim")
        + region("ct3", "format-change", "Ada")
        + "</text:tracked-changes>"
        + p(
            'I <text:change-start text:change-id="ct2"/>slowly <text:change-end text:change-id="ct2"/>'
            '<text:change text:change-id="ct1"/>go.'
        )
        + p('<text:change-start text:change-id="ct3"/>Untouched.<text:change-end text:change-id="ct3"/>')
        + p('Two<text:change-start text:change-id="ct2"/>')
        + p('more.<text:change-end text:change-id="ct2"/> Here.')
        + p("Behind.")
    )
    found = read("a.odt", odt(body))

    assert [one.text for one in found.paragraphs] == [
        "I slowly go.",
        "Untouched.",
        "Two",
        "more. Here.",
        "Behind.",
    ]
    assert [one.author for one in found.paragraphs] == ["Kim", "", "Kim", "Kim", ""]
    assert (found.name, found.revision, found.author) == ("my first", 4, "Kim")


@JOINED
def test_T21_a_deleted_paragraph_mark_leaves_a_blank_in_an_odt(first: str, second: str, joined: str) -> None:
    deleted = "".join(region(f"ct{place}", "deletion", "Mo", p("a") + p("b")) for place in (1, 2))
    within = region("ct3", "deletion", "Mo", p("gone"))
    body = (
        f"<text:tracked-changes>{deleted}{within}</text:tracked-changes>"
        + p(f'{first}<text:change text:change-id="ct1"/><text:change text:change-id="ct2"/>{second}')
        + p('Keep<text:change text:change-id="ct3"/>s')
    )

    assert [text for _, text in shown(read("a.odt", odt(body)))] == [joined, "Keeps"]


def test_T20_everything_else_in_an_odt_is_a_paragraph_a_remark_or_said() -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{p('A ferry.')}</text:note-body></text:note>"
    )
    about = "<dc:creator>Mara</dc:creator><dc:date>x</dc:date>"
    comment = f"<office:annotation>{about}{p('Who is this?')}</office:annotation>"
    box = f"<draw:frame><draw:text-box>{p('In a box.')}</draw:text-box></draw:frame>"
    body = (
        p("The night shift", "P1")
        + '<text:h text:style-name="Heading_20_1" text:outline-level="1">Dock</text:h>'
        + p(f'<text:bookmark-start text:name="rt_12"/>Zel {comment}waits<office:annotation-end/>.{note}')
        + p(f"I <text:s text:c=\"2\"/>{span('T1', 'slowly')} \n {span('T2', 'go')}<text:line-break/>on.")
        + p(f'<text:a xlink:href="https://x.org/">a link</text:a><text:tab/>{span("T1", span("T4", "up"))}')
        + f"<table:table><table:table-row><table:table-cell>{p('cell')}</table:table-cell>"
        f"<table:table-cell>{p('two')}</table:table-cell></table:table-row></table:table>"
        + p(f"{box}Beside.")
        + p("<draw:frame><draw:image/></draw:frame>")
        + p(f"{span('T3', 'secret')}seen")
        + f"<text:list><text:list-item>{p('item')}<text:list><text:list-item>{p('inner')}</text:list-item>"
        "</text:list></text:list-item></text:list>"
        + f"<text:section>{p('Within.')}</text:section>"
        + f"<text:table-of-content><text:index-body>{p('Dock 1')}</text:index-body></text:table-of-content>"
        + p("All is well.", "Epigraph")
        + p("Nobody comes.", "P2")
        + p("One side.", "P3")
        + p("***")
    )  # fmt: skip
    found = read("a.odt", odt(body))

    assert found.title == "The night shift"
    assert found.paragraphs[1] == Coming(
        "text", "Zel waits.", 12, (Remark("Mara", "Who is this?"), Remark("", "A ferry."))
    )
    assert shown(found)[:1] == [("heading", "Dock")]
    assert shown(found)[2:] == [
        *(("text", "I *slowly* **go**\non."), ("text", "a link up"), ("text", "cell"), ("text", "two")),
        *(("text", "Beside."), ("text", "In a box."), ("text", "seen"), ("text", "- item")),
        *(("text", "- inner"), ("text", "Within."), ("epigraph", "All is well.")),
        *(("pull-quote", "Nobody comes."), ("text", "One side."), ("break", "")),
    ]
    assert found.left_out == (
        "2 items of lists are here behind a dash or a number.",
        "1 picture is left out.",
        "The address of 1 link is left out; the words are here.",
        "1 table is here as paragraphs.",
        "1 text box is here as paragraphs.",
        "1 footnote is here as a remark on the paragraph.",
        "1 paragraph has hidden words, which are left out.",
        "1 line of a table of contents is left out.",
    )


def test_T20_an_odt_that_harms_or_is_none_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retold.drafts.files.packages.MOST_UNPACKED", 1_000_000)
    entities = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    secret = f"<manifest:manifest {ROOT}><manifest:encryption-data/></manifest:manifest>"
    whole = odt(p("I run."))
    files = {
        "is of OpenDocument, but no text; save its text as ODT or DOCX": odt(
            p("x"), media=TEXT[:-4] + "spreadsheet"
        ),
        "is not a whole DOCX or ODT": whole[:300],
        "declares entities in its part content.xml": odt(p("&b;"), before=entities),
        "larger than 100 MB": odt(p("x" * 1_000_000)),
        "is damaged in its part content.xml": odt("<text:p>"),
        "has a password": odt(p("x"), parts=MappingProxyType({"META-INF/manifest.xml": secret})),
        "is not a whole ODT": odt("", parts=MappingProxyType({"content.xml": "<x/>"})),
        "has no words": odt(p("")),
        "has more than 30,000 paragraphs": odt("<text:p/>" * 30_001),
        "is damaged": odt("<text:section>" * 9_000 + "</text:section>" * 9_000),
    }
    for sentence, data in files.items():
        with pytest.raises(Refused) as refused:
            read("back.odt", data)
        assert sentence in str(refused.value)
        assert "\n" not in str(refused.value)
    damaged = 0
    for at in range(0, len(whole), 97):
        try:
            read("back.odt", whole[:at] + b"\xff" + whole[at + 1 :])
        except Refused:
            damaged += 1
    assert damaged


def test_an_odt_names_its_language_for_the_spelling() -> None:
    data = write("odt", Manuscript("first", 1, "Dock", (Going(1, "text", "Los."),), lang="de-AT"))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b">de-AT</dc:language>" in archive.read("meta.xml")
        assert b'fo:language="de" fo:country="AT"' in archive.read("styles.xml")
