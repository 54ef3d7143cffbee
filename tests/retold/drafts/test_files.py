"""Files that editors give back: what becomes a paragraph, what a remark, and what is refused."""

from __future__ import annotations

import importlib.util
import io
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType

import pytest

from retold.drafts.files import FORMATS, changes, kept, read, write
from retold.drafts.files.finding import MOST_PARAGRAPHS
from retold.drafts.manuscript import Coming, Going, Manuscript, Remark, Returned
from retold.journal.refused import Refused

LXML = pytest.mark.skipif(importlib.util.find_spec("lxml") is None, reason="needs retold[docx]")
DOCX = pytest.mark.skipif(importlib.util.find_spec("docx") is None, reason="needs retold[docx]")
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
BRACKETS = (
    "back.md has a paragraph of more than 200,000 letters, or with more than 1,000 brackets:"
    " put an empty line between paragraphs."
)
SAVE = "; save it as UTF-8 and take it again."
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

CONTENTS: MappingProxyType[str, str] = MappingProxyType(
    {
        "styles": '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Mine"><w:name w:val="My head"/><w:basedOn w:val="berschrift1"/></w:style>'
        '<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>',
        "comments": '<w:comment w:id="7" w:author="Mara"><w:p><w:r><w:t>Who is this?</w:t></w:r></w:p>'
        "</w:comment>",
        "footnotes": '<w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>A ferry.</w:t></w:r></w:p></w:footnote>',
    }
)


def docx(body: str, *, before: str = "", **more: str) -> bytes:
    """Bytes of a DOCX with this body and the other parts in CONTENTS."""
    packed = io.BytesIO()
    start = f'{before}<w:{{}} xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        links = "".join(
            f'<Relationship Id="{name}" Type="{RELATED}/{name}" Target="{name}.xml"/>' for name in CONTENTS
        )
        archive.writestr("word/_rels/document.xml.rels", f"<Relationships>{links}</Relationships>")
        for name, inside in CONTENTS.items():
            archive.writestr(f"word/{name}.xml", f"{start.format(name)}{inside}</w:{name}>")
        archive.writestr(
            "word/document.xml", f"{start.format('document')}<w:body>{body}</w:body></w:document>"
        )
        for name, inside in more.items():
            archive.writestr(name, inside)
    return packed.getvalue()


def p(inside: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{inside}</w:p>"


def r(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def control(inside: str) -> str:
    return f"<w:sdt><w:sdtContent>{inside}</w:sdtContent></w:sdt>"


def shown(returned: Returned) -> list[tuple[str, str]]:
    return [(one.sort, one.text) for one in returned.paragraphs]


# --- DOCX -------------------------------------------------------------------------------------------------


@LXML
def test_tracked_changes_are_accepted() -> None:
    deleted = '<w:rPr><w:del w:id="1"/></w:rPr>'
    body = (
        p(
            r("I ")
            + f"<w:ins>{r('slowly ')}</w:ins><w:del><w:r><w:delText>run</w:delText></w:r></w:del>"
            + r("go.")
        )
        + p(f"<w:moveFrom>{r('Later.')}</w:moveFrom>", "<w:rPr><w:moveFrom/></w:rPr>")
        + p("<w:del><w:r><w:delText>All gone</w:delText></w:r></w:del>", deleted)
        + p(r("One "), deleted)
        + p(r("two."))
        + p(f"<w:moveTo>{r('Later.')}</w:moveTo>", "<w:rPr><w:moveTo/></w:rPr>")
        + f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>{p(r('cut row'))}</w:tc></w:tr></w:tbl>"
    )

    assert [text for _, text in shown(read("a.docx", docx(body)))] == ["I slowly go.", "One two.", "Later."]


JOINED = pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("He is behind him.", "He sits.", "He is behind him. He sits."),
        ("One", "two", "One two"),
        ("He said", "“Go.”", "He said “Go.”"),
        ("One ", "two", "One two"),
        ("Wait", ", he said", "Wait, he said"),
        ("他坐下。", "他走了。", "他坐下。他走了。"),
    ],
)
"""Two paragraphs, and what is left of them once the mark between them is deleted."""


@LXML
@JOINED
def test_T21_a_deleted_paragraph_mark_leaves_a_blank(first: str, second: str, joined: str) -> None:
    body = p(r(first), '<w:rPr><w:del w:id="1"/></w:rPr>') + p(r(second))

    assert [text for _, text in shown(read("a.docx", docx(body)))] == [joined]


def test_T18_a_title_with_no_break_spaces_is_the_title() -> None:
    text = "# The\u00a0Salt\u00a0Road\n\nThey\u00a0went.\n\n[Note:\u00a0to whom?]\n"
    found = read("a.md", text.encode())

    assert [(one.sort, one.text) for one in found.under("The Salt Road")] == [
        ("text", "They\u00a0went."),
        ("note", "to whom?"),
    ]


@LXML
def test_a_docx_says_who_saved_it_and_who_made_the_last_change_of_a_paragraph() -> None:
    kim, mo = (f'w:author="{name}" w:date="{at}"' for name, at in (("Kim\x7f", "2026-02"), ("Mo", "2026-01")))
    body = p(f"<w:ins {kim}>{r('I ')}</w:ins><w:ins {mo}>{r('run.')}</w:ins>") + p(r("Untouched."))
    long = "Mara \u202e" + "x" * 200
    core = f'<c xmlns:cp="x"><cp:lastModifiedBy>{long}</cp:lastModifiedBy></c>'
    found = read("a.docx", docx(body, **{"docProps/core.xml": core}))

    assert [one.author for one in found.paragraphs] == ["Kim␡", ""]
    same = "".join(f"<w:ins {by}>{r('I')}</w:ins>" for by in (kim, kim.replace("Kim\x7f", "Jo")))
    undated = f'<w:del w:author="Mo"><w:r><w:delText>I</w:delText></w:r></w:del>{r("run.")}'
    found_too = read("a.docx", docx(p(same) + p(undated)))
    assert [one.author for one in found_too.paragraphs] == ["Jo", "Mo"]
    assert (found.author[:14], len(found.author)) == ("Mara ⟦U+202E⟧x", 100)


@LXML
def test_everything_else_in_a_docx_is_a_paragraph_a_remark_or_said() -> None:
    box = f"<w:txbxContent>{p(r('In a box.'))}</w:txbxContent>"
    body = (
        p(r("The night shift"), '<w:pStyle w:val="Titel"/>')
        + p(r("Dock"), '<w:pStyle w:val="Mine"/>')
        + p('<w:bookmarkStart w:id="1" w:name="rt_12"/>' + r("Zel ") + '<w:commentRangeStart w:id="7"/>'
            + r("waits") + '<w:commentRangeEnd w:id="7"/><w:r><w:commentReference w:id="7"/></w:r>'
            + '<w:r><w:footnoteReference w:id="2"/></w:r>')
        + control(p(control(r("Google")) + r(" run")))
        + p(f"<w:hyperlink>{r('a link')}</w:hyperlink>"
            "<w:r><w:rPr><w:i/></w:rPr><w:tab/><w:t>slanted</w:t></w:r>")
        + f"<w:tbl><w:tr><w:tc>{p(r('cell'))}</w:tc><w:tc>{p(r('two'))}</w:tc></w:tr></w:tbl>"
        + p(f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
            f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>" + r("Beside."))
        + p("<w:r><w:drawing/></w:r>")
        + p("<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>" + r("seen"))
        + p(r("item"), '<w:numPr><w:numId w:val="3"/></w:numPr>')
        + p(r("***"))
    )  # fmt: skip
    found = read("a.docx", docx(body))

    assert found.title == "The night shift"
    assert found.paragraphs[1] == Coming(
        "text", "Zel waits", 12, (Remark("Mara", "Who is this?"), Remark("", "A ferry."))
    )
    assert shown(found)[:1] == [("heading", "Dock")]
    assert shown(found)[2:] == [
        *(("text", "Google run"), ("text", "a link *slanted*"), ("text", "cell"), ("text", "two")),
        *(("text", "Beside."), ("text", "In a box."), ("text", "seen"), ("text", "- item"), ("break", "")),
    ]
    assert found.left_out == (
        "1 item of a list is here behind a dash or a number.",
        "1 picture is left out.",
        "The address of 1 link is left out; the words are here.",
        "1 table is here as paragraphs.",
        "1 text box is here as paragraphs.",
        "1 footnote is here as a remark on the paragraph.",
        "1 paragraph has hidden words, which are left out.",
    )


@LXML
def test_a_docx_that_harms_or_is_none_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retold.drafts.files.packages.MOST_UNPACKED", 1_000_000)
    entities = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
    whole = docx(p(r("I run.")))
    files = {
        "is not a DOCX or ODT": book.getvalue(),
        "is not a whole DOCX or ODT": whole[:300],
        "declares entities": docx(p(r("&b;")), before=entities),
        "larger than 100 MB": docx(p(r("x" * 1_000_000))),
        "is damaged in its part word/document.xml": docx("<w:p>"),
        "an old Word, or has a password": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
        "has no words": docx(p("")),
        "is damaged": docx("<w:sdt>" * 9_000 + "</w:sdt>" * 9_000),
    }
    for sentence, data in files.items():
        with pytest.raises(Refused) as refused:
            read("back.docx", data)
        assert sentence in str(refused.value)
        assert "\n" not in str(refused.value)
    damaged = 0
    for at in range(0, len(whole), 97):
        try:
            read("back.docx", whole[:at] + b"\xff" + whole[at + 1 :])
        except Refused:
            damaged += 1
    assert damaged


# --- Markdown, HTML, text ---------------------------------------------------------------------------------


def test_markdown_of_editors() -> None:
    text = """---
title: "The night shift"
tags: [retold]
---

The night shift
===============

Dock
----

I run, and the
rain *runs* too.  \nTwo \\*stars\\*.<!-- who? -->
<sigh>

***
> “A letter,” he said.

- one
2. two

    indented, not code

## Next ##
<div>Boxed</div>

<!-- retold draft my%20first 4 -->
"""
    found = read("story.md", text.encode())

    assert (found.name, found.revision, found.title) == ("my first", 4, "The night shift")
    assert shown(found) == [
        *(
            ("heading", "Dock"),
            ("text", "I run, and the rain *runs* too.\nTwo \\*stars\\*. <sigh>"),
            ("break", ""),
        ),
        *(("text", "“A letter,” he said."), ("text", "- one"), ("text", "2. two")),
        *(("text", "indented, not code"), ("heading", "Next"), ("text", "Boxed")),
    ]
    assert found.paragraphs[1].remarks == (Remark("", "who?"),)
    assert found.left_out == (
        "2 items of lists are here behind a dash or a number.",
        "1 quotation is here as a paragraph.",
    )
    assert read("story.txt", text.encode()) == found
    assert read("story", text.encode("utf-16")) == found


@LXML
def test_pages_of_google_docs_word_and_libreoffice() -> None:
    google = """<html><head><style>.c1{}</style></head><body class="c2"><p class="c3 title"><span>The night
    shift</span></p><h1 id="h.x"><span>Dock</span></h1><p class="c4"><span>I run</span><span
    style="font-style:italic">&nbsp; fast</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup>.</p><hr>
    <ol><li>one</li><li>two</li></ol>
    <div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Too fast?</span></p></div></body></html>"""
    word = """<html xmlns:o="x"><head><meta http-equiv=Content-Type content="text/html; charset=windows-1252">
    <!--[if gte mso 9]><xml></xml><![endif]--></head><body><p class=MsoTitle>The night shift<o:p></o:p></p>
    <h1>Dock</h1><p class=MsoNormal>“I run<span class=msoDel><del>s</del></span>”<br>é</p>
    <p class=MsoNormal><o:p>&nbsp;</o:p></p><table><tr><td><p>cell</p></td></tr></table></body></html>"""
    libre = """<!DOCTYPE html><html><body lang="en"><p class="western"><font face="x">I run</font>
    again</p><script>alert(1)</script><pre>a\nb</pre></body></html>"""
    found = read("story.html", google.encode())

    assert found.title == "The night shift"
    assert shown(found) == [
        *(
            ("heading", "Dock"),
            ("text", "I run *fast*."),
            ("break", ""),
            ("text", "1. one"),
            ("text", "2. two"),
        ),
    ]
    assert found.paragraphs[1].remarks == (Remark("", "Too fast?"),)
    of_word = read("story.htm", word.encode("cp1252"))
    assert of_word.title == "The night shift"
    assert shown(of_word) == [("heading", "Dock"), ("text", "“I run”\né"), ("text", "cell")]
    assert shown(read("pasted", libre.encode())) == [("text", "I run again"), ("text", "a\nb")]


MANY = MOST_PARAGRAPHS + 1


@LXML
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("back.docx", docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * MANY)),
        ("back.docx", docx("<w:p/>" * MANY)),
        ("back.md", b"a\n\n" * MANY),
        ("back.md", b"- a\n" * MANY),
        ("back.md", b"# a\n" * MANY),
        ("back.md", b"***\n" * MANY),
        ("back.txt", b"a\n\n" * MANY),
        ("back.txt", b"***\n\n" * MANY),
        ("back.html", b"<p>a</p>" * MANY),
        ("back.html", b"<p></p>" * 2 * MANY),
    ],
)
def test_S6_a_file_of_far_too_many_paragraphs_is_refused_uncompared(name: str, data: bytes) -> None:
    with pytest.raises(Refused, match=f"^{name} has more than 30,000 paragraphs; give less of it.$"):
        read(name, data)


@LXML
@pytest.mark.parametrize(
    "page",
    ["<div>" * 200_000 + "x", "<b>" * 900_000 + "x", "<p>" + "x" * 20_000_000],
    ids=lambda page: page[:5],
)
def test_a_page_of_millions_of_elements_is_refused(page: str) -> None:
    with pytest.raises(Refused, match=r"nested too deeply|is larger than 5 MB"):
        read("story.html", b"<html>" + page.encode())


def test_plain_text_of_editors() -> None:
    wrapped = (
        "The ferry leaves at eight and nobody is on board but\n"
        "Zel, who counts the lamps on the other bank and finds\n"
        "that there are seven, and one of them is moving to the\nwest.\n\nSo it is.\n"
    )
    lines = "The night shift\r\nI run.\r\nYou wait.\r\n"
    indented = "    I run, he said.\nThe rest of it.\n    You wait.\n\nHere.\n"

    assert shown(read("a.txt", wrapped.encode()))[0][1].count("\n") == 0
    assert len(read("a.txt", wrapped.encode()).paragraphs) == 2
    assert [text for _, text in shown(read("a.txt", lines.encode()))] == [
        "The night shift",
        "I run.",
        "You wait.",
    ]
    assert [text for _, text in shown(read("a.txt", indented.encode()))] == [
        *("I run, he said.\nThe rest of it.", "You wait.", "Here.")
    ]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "back.md is empty."),
        (b" \n\t", "back.md is empty."),
        ("Caf\u00e9!".encode("cp1252"), f"back.md is not UTF-8 at byte 4{SAVE}"),
        ("Caf\u00e9".encode("cp1252"), f"back.md is not UTF-8 at its end{SAVE}"),
        (
            "I run".encode("utf-16-le"),
            "back.md is no text, or is in UTF-16 without a sign of it; save it as UTF-8.",
        ),
        (b"%PDF-1.7", "back.md is PDF; save it as DOCX, ODT, Markdown, HTML or plain text."),
        (b"{\\rtf1\\ansi I run}", "back.md is RTF; save it as DOCX, ODT, Markdown, HTML or plain text."),
        (
            b'<?xml version="1.0"?><office:document xmlns:office="x">',
            "back.md is a document of a word processor in one XML; save it as DOCX or ODT.",
        ),
        (b"x" * 5_000_001, "back.md is larger than 5 MB; a draft of that size is no text."),
        (b"> " * 300 + b"x", "back.md has quotations or lists nested too deeply; write them as paragraphs."),
        (b"<!-- -->\n", "back.md has no words."),
        (b"![" * 1_001, BRACKETS),
        (b"<!-- " * 1_001, BRACKETS),
        (b"a\n" * 200_001, BRACKETS),
    ],
)  # fmt: skip
def test_unreadable_input_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read("somewhere/back.md", data)

    assert str(refused.value) == sentence


def test_the_title_of_the_sent_copy_is_no_paragraph() -> None:
    text = Coming("text", "I run.")

    assert Returned(None, None, (text,), "Dock").under("Dock") == (text,)
    assert Returned(None, None, (text,), "Pier").under("Dock") == (Coming("heading", "Pier"), text)
    assert Returned(None, None, (Coming("text", "Dock"), text)).under("Dock") == (text,)
    assert Returned(None, None, (text,)).under("") == (text,)


# --- two revisions ----------------------------------------------------------------------------------------


BEFORE = Manuscript(
    "first",
    11,
    "The night shift",
    (
        Going(1, "heading", "Dock"),
        Going(2, "text", "I run to the ferry.\nIt waits."),
        Going(3, "text", "Cut me."),
        Going(4, "break", ""),
        Going(5, "text", "Moved & kept."),
        Going(6, "epigraph", "Who?"),
    ),
)
AFTER = Manuscript(
    "first",
    12,
    "The night shift",
    (
        Going(5, "text", "Moved & kept."),
        Going(1, "heading", "Dock"),
        Going(2, "text", "Zel runs to the old ferry.\nIt waits.", writer="Kim"),
        Going(7, "text", "New <here>."),
        Going(4, "break", ""),
        Going(6, "heading", "Who?"),
    ),
)


@DOCX
def test_tracked_changes_of_two_revisions_read_back_as_the_later_one() -> None:
    data = changes(BEFORE, AFTER, "Mara \x1b", datetime(2026, 11, 26, 9, 30, tzinfo=UTC))
    found = read("changes.docx", data)
    inner = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()

    assert (found.name, found.revision, found.title) == ("first", 12, "The night shift")
    assert [(one.sort, one.text, one.id) for one in found.paragraphs] == [
        (one.sort, one.text, block.id) for block in AFTER.blocks if (one := kept(block)) is not None
    ]
    assert 'w:author="Mara ␛" w:date="2026-11-26T09:30:00Z"' in inner
    assert set(re.findall(r'w:author="(.*?)"', inner)) == {"Mara ␛", "Kim"}
    assert "Cut me." in inner
    assert data == changes(BEFORE, AFTER, "Mara \x1b", datetime(2026, 11, 26, 9, 30, tzinfo=UTC))
    rejected = inner.replace("w:ins", "w:was").replace("w:del", "w:ins").replace("w:was", "w:del")
    rejected = rejected.replace("w:insText", "w:t")
    assert [one[1] for one in shown(read("a.docx", repacked(data, rejected)))] == [
        one.text for block in BEFORE.blocks if (one := kept(block)) is not None
    ]


def repacked(data: bytes, document: str) -> bytes:
    """The same DOCX with another text."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, document if name == "word/document.xml" else old.read(name))
    return packed.getvalue()


@DOCX
def test_a_docx_names_its_language_for_the_spelling() -> None:
    with zipfile.ZipFile(io.BytesIO(write("docx", replace(AFTER, lang="de")))) as archive:
        assert b">de</dc:language>" in archive.read("docProps/core.xml")
        assert b'w:lang w:val="de"' in archive.read("word/styles.xml")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(Refused, match="sent as markdown, docx, odt, html, text, not as pdf"):
        write("pdf", BEFORE)


def test_a_suffix_that_lies_is_seen_through() -> None:
    for format_ in FORMATS if importlib.util.find_spec("docx") else ("markdown", "text"):
        data = write(format_, BEFORE)
        wanted = read(f"back{FORMATS[format_]}", data)
        for suffix in ("", *FORMATS.values()):
            if (format_, suffix) != ("text", ".md"):
                assert read(f"back{suffix}", data) == wanted, (format_, suffix)
