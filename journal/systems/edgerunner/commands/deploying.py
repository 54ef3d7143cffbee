"""Deployments: a faction brings somebody or something of its own onto the map."""

from __future__ import annotations

from journal.names import quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.meaning import zone_meant
from journal.systems.edgerunner.commands.purpose import Purpose
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.rules import Kind, MookDeploy
from journal.systems.edgerunner.state import Action, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def purpose(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """Who comes where; Refused for whoever is no faction, and for what is here or cannot be deployed."""
    if shelf(situation.table).sheet(who).kind is not Kind.FACTION:
        raise Refused(
            f"Only a faction (kind=faction on the sheet) deploys, and {situation.name(who)} is none."
        )
    assert command.asset is not None  # noqa: S101 -- the form asks for it
    check_asset(situation, command.asset)
    cost(situation, command.asset)
    zone = zone_meant(situation, command.zones[0])
    return Purpose(path=(g.Step(zone=zone),), asset=command.asset)


def check_asset(situation: Situation, asset: int) -> None:
    """Refuses whom nobody can deploy, and who is here already."""
    name, kind = situation.name(asset), shelf(situation.table).sheet(asset).kind
    if asset in situation.here.people or asset in here(situation).places:
        raise Refused(f"{name} is here already.")
    if kind not in rules.DEPLOYABLE:
        kinds = ", ".join(sorted(rules.DEPLOYABLE))
        raise Refused(f"{name} is of kind {kind}; what can be deployed is one of {kinds}.")


def cost(situation: Situation, asset: int) -> int:
    """The shifts it takes; Refused where the sheet leaves out what they follow from."""
    sheet = shelf(situation.table).sheet(asset)
    key = {Kind.MOOK: "tl", Kind.DEVICE: "cost"}.get(sheet.kind)
    if key is not None and key not in sheet.numbers:
        name = situation.name(asset)
        raise Refused(f"{name}'s sheet does not say what deploying takes: cast {quoted(name)} {key}=3.")
    number = 0 if key is None else sheet.numbers[key]
    return rules.deploy_cost(sheet.kind, number, chosen.kind(situation.table, "mook_deploy", MookDeploy))


def come_of(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """With enough shifts the asset is there; else it may be by going on."""
    assert act.asset is not None  # noqa: S101 -- a deployment has one
    price = cost(situation, act.asset)
    zone = act.path[0].zone
    if act.shifts < price or zone not in here(situation).zones:
        return []
    return [g.Deployed(conflict=situation.here.id, who=act.who, asset=act.asset, zone=zone, cost=price)]
