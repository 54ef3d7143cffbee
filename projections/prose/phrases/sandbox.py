"""Jinja sandbox for phrases, which may hold text, values and `if`, but no loops, calls or arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes, pass_context
from jinja2.environment import Template
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

from retold.journal.grammar import CASES
from retold.projections.plain.ink import listed
from retold.projections.prose.phrases import agreement
from retold.projections.prose.phrases.unfit import Unfit

Value = str | int | bool | Sequence[str] | None
"""Value in a phrase: plain data without attributes."""

LONGEST: Final = 1_000
DEEPEST: Final = 20
"""Maximum length of a phrase, and maximum nesting."""

_PLAIN: Final = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.Name,
    nodes.Const,
    nodes.If,
    nodes.CondExpr,
    nodes.And,
    nodes.Or,
    nodes.Not,
    nodes.Concat,
    nodes.Compare,
    nodes.Operand,
    nodes.Filter,
    nodes.Keyword,
)
"""Syntax nodes allowed in a phrase; rendering ends, and its length is bounded by the values'."""

_COMPARED: Final = frozenset({"eq", "ne"})
"""Allowed comparisons; unlike `<`, these work for any two values."""


_CATEGORIES: Final = frozenset({"zero", "one", "two", "few", "many", "other"})
"""Plural categories of the Unicode CLDR."""

_FORMS: Final = frozenset({"one", "other", "past", "pasts"})
"""Forms of a verb: those of the present for one person and for several, and those of the past."""

_KEYWORDS: Final = {"plural": _CATEGORIES, "gender": agreement.GENDERS, "verb": _FORMS}
"""Names of the words that a filter chooses from."""


class Sandbox:
    """Compiles phrases to Jinja templates; `last` joins the last of several names (`and`).

    `category` returns the plural category of a number in the phrases' language.
    """

    def __init__(self, last: str, category: Callable[[object], str]) -> None:
        self._environment = SandboxedEnvironment(undefined=StrictUndefined, finalize=_shown, autoescape=False)
        self._environment.globals.clear()
        self._environment.filters = {
            "listed": lambda value: listed(_several(value), last),
            "join": lambda value, between="": str(between).join(_several(value)),
            "count": lambda value: len(_several(value)),
            "upper": lambda value: _shown(value).upper(),
            "lower": lambda value: _shown(value).lower(),
            "gender": lambda value, **words: agreement.gender(value, words),
            "form": agreement.form,
            "plural": lambda value, **forms: forms.get(category(value), forms.get("other", "")),
            "verb": _verb,
        }

    def template(self, source: str, known: frozenset[str] | None = None) -> Template:
        """Returns a compiled phrase, which may use `present` and values named in `known` (None allows any).

        Raises Unfit for a disallowed construct, and for an unknown value.
        """
        tree = self._parsed(source)
        if known is not None:
            for name in tree.find_all(nodes.Name):
                if name.name not in {*known, "present"}:
                    raise Unfit(_no_value(name.name, known))
        environment = self._environment
        return Template.from_code(environment, environment.compile(tree), {})

    def values(self, source: str) -> frozenset[str]:
        """Returns names of values (`{{ who }}` → `who`) used in a phrase."""
        return frozenset(name.name for name in self._parsed(source).find_all(nodes.Name))

    def _parsed(self, source: str) -> nodes.Template:
        if len(source) > LONGEST:
            raise Unfit(f"it is {len(source):,} characters long, and {LONGEST:,} are the most")
        try:
            tree = self._environment.parse(source)
        except TemplateSyntaxError as error:
            why = (error.message or "no reason given").removesuffix(".")
            raise Unfit(f"it cannot be read: {why[:1].lower()}{why[1:]}") from None
        except (RecursionError, ValueError):
            raise Unfit("it cannot be read: it is nested too deeply") from None
        for node in _within(tree, 0):
            self._check(node)
        return tree

    def _check(self, node: nodes.Node) -> None:
        if not isinstance(node, _PLAIN):
            raise Unfit(f"it has {_NAMES.get(type(node), 'something')} in it, and a phrase has {_HAS}")
        if isinstance(node, nodes.Operand) and node.op not in _COMPARED:
            raise Unfit("it compares with something other than == and !=")
        if isinstance(node, nodes.Filter):
            filters: Mapping[str, Callable[..., object]] = self._environment.filters
            if node.name not in filters:
                raise Unfit(f"there is no |{node.name}: there are |{', |'.join(filters)}")
            self._check_arguments(node)

    def _check_arguments(self, node: nodes.Filter) -> None:
        """Raises Unfit for arguments unknown to the filter, and for arguments other than texts."""
        forms = [keyword.key for keyword in node.kwargs]
        known = _KEYWORDS.get(node.name, frozenset())
        if node.name == "form" and len(node.args) != 1:
            raise Unfit("|form takes a case, as in |form('acc')")
        chooses = node.name == "plural" or (known and forms)
        if chooses and ("other" not in forms or not known.issuperset(forms)):
            raise Unfit(f"|{node.name} takes {', '.join(sorted(known))}, and always other")
        too_many = len(node.args) > (node.name in {"join", "form"})
        if node.dyn_args or node.dyn_kwargs or too_many or (forms and not known):
            raise Unfit(f"|{node.name} is given too many values")
        given = [*node.args, *(keyword.value for keyword in node.kwargs)]
        if not all(
            isinstance(value, nodes.Const) for value in given
        ):  # a computed text could grow without limit
            raise Unfit(f"|{node.name} takes only a text in quotation marks")
        if node.name == "form":
            self._check_case(node.args[0])

    def _check_case(self, case: nodes.Expr) -> None:
        """Raises Unfit for an unknown case."""
        if not isinstance(case, nodes.Const) or case.value not in CASES:
            raise Unfit(f"there is no case of that name: there are {', '.join(CASES)}")


@pass_context
def _verb(
    context: Context, who: object, *, other: str, one: str = "", past: str = "", pasts: str = ""
) -> str:
    """Returns the form of a verb for one or several people, in the tense of the sentence."""
    are_several = agreement.are_several(who)
    if past and not context.get("present"):
        return pasts or past if are_several else past
    return other if are_several else one or other


_HAS: Final = "only {{ values }} and {% if %}"
_NAMES: Final[Mapping[type[nodes.Node], str]] = {
    nodes.For: "a loop",
    nodes.Call: "a call",
    nodes.Getattr: "a dot after a value",
    nodes.Getitem: "a part of a value",
    nodes.Include: "another file",
    nodes.Import: "another file",
    nodes.FromImport: "another file",
    nodes.Extends: "another file",
    nodes.Macro: "a macro",
    nodes.CallBlock: "a macro",
    nodes.Block: "a block",
    nodes.With: "a value of its own",
    nodes.Assign: "a value of its own",
    nodes.AssignBlock: "a value of its own",
    nodes.Test: "a test with is",
    **dict.fromkeys(
        (
            *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow),
            *(nodes.Neg, nodes.Pos),
        ),
        "a sum",
    ),
}
"""Names of common disallowed nodes, for messages."""


def _within(node: nodes.Node, depth: int) -> Iterator[nodes.Node]:
    """Yields a Jinja syntax node and its descendants; raises Unfit beyond `DEEPEST` levels."""
    if depth > DEEPEST:
        raise Unfit("it is nested too deeply")
    yield node
    for child in node.iter_child_nodes():
        yield from _within(child, depth + 1)


def _no_value(name: str, known: frozenset[str]) -> str:
    from retold.journal.names import nearest  # noqa: PLC0415 -- only a refusal needs it

    there = sorted(known)
    close = nearest(name, there, 1)
    if close:
        return f"there is no value {name} here, did you mean {close[0]}?"
    return f"there is no value {name} here, there is {listed(there) or 'none'}"


def _several(value: object) -> list[str]:
    if value is None:
        return []
    return [_shown(item) for item in value] if isinstance(value, list | tuple) else [_shown(value)]


def _shown(value: object) -> str:
    """Returns a value as text: None as an empty text, a list with commas."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return "" if value is None else str(value)
