"""What somebody may type to be more than text in some format, each on one line."""

from __future__ import annotations

from retold.journal.marks import plain
from tests.projections.stories import TRAPS
from tests.projections.test_exports import PAYLOADS as OF_EXPORTS

MARKUP = r"""
<script>alert(1)</script>
"><img src=x onerror=alert(1)>
'); alert(1); //
<svg/onload=alert(1)>
</title></style></textarea><h1>owned</h1>
<a href="javascript:alert(1)">x</a>
javascript:alert(1)
' onmouseover='alert(1)
<!-- comment
--><b>
]]><b>x</b>
<![CDATA[x
<?php x ?>
&lt;b&gt; &amp;
"""

TEMPLATES = r"""
{{ 7*7 }}
{% include '/etc/passwd' %}
{{ self.__init__ }}
{# gone #}
${7*7}
#{7*7}
%s %d %(x)s
{0} {x!r}
\g<0> \1
"""

PATHS_AND_SHELLS = r"""
../../etc/passwd
..\..\boot.ini
/dev/tcp/evil/1
C:\CON
file:///etc/passwd
$(reboot)
`id`
"""

FORMULAE = r"""
=HYPERLINK("http://evil","x")
+1+1
-2+3
@SUM(A1)
=cmd|'/C calc'!A0
a,b;c
"""

MARKDOWN = r"""
# heading
> quote
- item
1. item
[x](javascript:alert(1))
![x](http://evil/x.png)
<http://evil>
[[note]]
![[embed]]
%%gone%%
==mark==
~~gone~~
[^1]
[^1]: note
**bold** __b__ _i_
| a | b |
```
"""

YAML = r"""
---
--- !!python/object:os.system
a: b # c
? key
&anchor *alias
!tag
yes
null
"quoted": \x41
"""

FOUNTAIN = r"""
INT. HALL - DAY
CUT TO:
> centred <
!forced
@FORCED
.FORCED
(beat)
~lyric
/* boneyard */
= synopsis
FADE OUT.
"""

SUBTITLES = r"""
WEBVTT
NOTE gone
STYLE
00:00:01.000 --> 00:00:02.000
-->
<v Nobody>
<c.red>
{\an8}
<i>i</i>
"""

LOGS = r"""
d: 6 -> Success
=> it ends
[N:Nobody|dead]
@(Nobody) dies
(note: x)
PC(Nobody): "x"
"""

TYPESETTING = r"""
#pagebreak()
$x^2$
#read("/etc/passwd")
@label <label>
_a_ *b*
\u{41}
// gone
= Heading
\textbf{x} \input{/etc/passwd}
"""

SIGNS = [
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://evil\x07x",
    "\x9b2J",
    "over\rwritten",
    "\x07 \x08 \x7f \x01",
    "\x85next\u2028line",
    "\t=1",
    "\u202egnp.exe",
    "\u2066a\u2069",
    "\u200bzero\ufeff\u00ad",
    "\U000e0041\U000e0042",
    "\ufdd0 \ufffe \U0001fffe",
    "ユニコード",
    "👩\u200d🚀",
    "e\u0301",
    "شب",
    "\u0301 mark first",
    "ß ﬁ",
    "x" * 120,
]
"""What a terminal, an eye or a parser would obey, and letters that are hard to set."""

_PAGES = (
    MARKUP,
    TEMPLATES,
    PATHS_AND_SHELLS,
    FORMULAE,
    MARKDOWN,
    YAML,
    FOUNTAIN,
    SUBTITLES,
    LOGS,
    TYPESETTING,
)
_ALL = [*(line for page in _PAGES for line in page.split("\n")), *SIGNS, *TRAPS, *OF_EXPORTS]

PAYLOADS = [
    *dict.fromkeys(
        one if plain(one) == one else one.replace("*", "* ").replace("_", "_ ")
        for one in _ALL
        if one.strip() and "\n" not in one
    )
]
"""All of them once; what is empty or has several lines makes other paragraphs, and may.
Signs that would be emphasis stand apart from their words, so that they are none."""
