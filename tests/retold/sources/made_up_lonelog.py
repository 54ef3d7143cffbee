"""Made-up evenings in Lonelog and Partylog: in blocks, with the older signs, and as in a notebook."""

from __future__ import annotations

PARTY = r"""---
title: "The Ferry at Grey Sound"
ruleset: Two Dice
genre: Fog and debts
gm: Mary
players: Jon (Zel), Ana (Pell)
pcs:
  - Zel [PC:Zel|Smuggler 2|HP 9]
  - Pell [PC:Pell|HP 12/12]
start_date: 2026-03-01
tone:
---

# The Ferry at Grey Sound

A ferry that takes nobody twice.

## Session 3: The Toll
*Date: 2026-03-01 | Duration: 3h | Scribe: Jon*

**Recap:** They owe the ferryman for two crossings.
Neither was theirs.

**Goals:** Cross.

```lonelog
[PC:Zel|HP 9|trait:quick,rude|Player:Jon]
[PC:Pell
  | status: rested
  | stat: HP 12, Nerve 3
]
[N:Warder|asleep|at the gate]
[L:Ferry House|dark|wet] [Thread:Who pays?|Open]
[Goal:Reach the far side|Active]
[Quest:The Third Crossing|Main]
[Party:Gold 30|Rations 4]
[Faction:Ferrymen|tier:2|standing:cold]
```

### S7 *The ferry house, an hour before dawn*

```
@(Zel) Pick the lock
d: 2d6=8 vs TN 7 -> Success
=> The door opens. [Clock:Watch 2/6] [N:Warder|turns in his sleep]

! A bell out on the water
   rings twice.
@(Zel+Pell) Lift the bar together
d: Might (Zel 2d6+1=9, Pell 2d6=5, take highest) -> 9 vs 8, they can
@(Zel > Pell) Zel holds the lamp while Pell climbs
d(Zel > Pell): Climb d20+2 (adv)=17 vs DC 12 -> Success
d(Pell): 4d6=6,6,4,1 (take highest=6) -> Critical
d(Pell): Nerve d20=15+Mod=2=17 vs DC 12 -> Holds
d: Fate 4dF=+1 (+0+-) +Deceive(3) = +4 -> Style
d: draw=Qs -> A dark omen
d: Spend a lamp (no roll) -> Light enough
=> [PC:Pell|HP-3|HP 9/12] [Clock:Watch +1]
=> [#N:Warder] opens one eye.

N(Warder): "Who is there?" [N:Warder|awake]
PC(Zel): [whispers] "Nobody. Go on sleeping."
PC(Pell): "We have paid.
  Twice, in fact."
@(Warder) "You have paid for the two before you."

? Does he believe us?
-> No, but... (d6=3)
=> He wants to hear it again.
?(Pell) Is the boat tied up?
d: d100=60 vs 35 (Unlikely) -> No
? What drifts by?
tbl: d20=15 -> "A hat"
tbl: Weather (d4)
  1: Fog
  2: More fog
gen: Passenger
  Role: d6=2 -> Clerk
  Wish: d6=6 -> To be elsewhere
=> [N:The Clerk|wishes to be elsewhere]

(note: the warder was Mary's idea,
and a good one)
(rule: a lamp is worth one more die)
[OOC: Break | 15 mins]
```

The fog does not lift. It *leans*.

![the map](maps/grey-sound.png)

PC (Pell, tired): "One of us has to row."

```
\---
The board reads:
"No more than three, and never the same three."
---\

[COMBAT]
Initiative: Zel(9), Warder(7)
R1
@(Zel) Trip him
d: d20+4=19 vs 12 -> Hit, 1d6+1=4 dmg
=> [F:Warder|HP 6|down]
[/COMBAT]
```

%% Mary: the ferryman is the warder's brother. %%

### S7a *Flashback: the first crossing*

```
=> Pell: I remember the hat.
```

### T2-S8

```
S9.1 *The far side*
S10 @(Zel)Run d:9≥8 S => ashore [Timer:Dawn 1] ?Seen? ->Nb3 => only by the bell
```

```dataview
TABLE hp FROM #pc
```

### End of Session 3

```
[Advance:Zel|Smuggler 3|+Oars]
[Thread:Who pays?|Closed]
(hook: the ferryman is waiting on the other side)
```

## Interlude: a week of rain

```
[Party:Rations-3]
```

## Session 4

```
=> They go back.
```
"""

OLD = """---
title: The Lamp Above the Shop
ruleset: Any dice
player: Jon
pcs: Zel [PC:Zel|HP 8|Stress 0]
---

# The Lamp Above the Shop

## Session 1
*Date: 2026-02-01*

### S1 *The shop, after closing*

```
> Slip in by the yard
d: Stealth d6=4 vs TN 5 => Fail
=> A crate of bells. [E:Alarm 1/4] [PC:Zel|Stress+1]

? Does anybody wake?
-> Yes, but... (d6=4)
=> A light, upstairs, that does not move.

> Wait
d: Luck 5≥4 => S => It goes out.
N (Voice above): "Is that you again?"
PC: "No."
```

> A quotation that Jon liked, and that is no act.

```
> Run
[Clock:Alarm 4/4] => THE WHOLE STREET
```

---

**Session 1 End**
"""

NOTEBOOK = """=== Journal de campagne : Le Bac ===
[Titre]    Le Bac
[PJs]      Zel [PJ:Zel|PV 8]
[Joueur]   Jon

=== Séance 1 ===
[Date]     01/03/2026
[Durée]    2h
[Résumé]   Rien encore.
           Ou presque.

S1 *La maison du passeur, avant l'aube*

@ Crocheter la serrure
    d : Adresse 2d6=8 contre SD 7 -> Réussite
    => La porte s'ouvre. [N:Garde|endormi] [Horloge:Ronde 1/6]
    [Fil:Qui paie ?|Ouvert]
    [L:Maison du passeur|sombre]

Le brouillard ne se lève pas.
Il s'appuie.

N (Garde) : "Qui est là ?"
PJ : [chuchote] "Personne."
(note : le garde était une idée de Mary)
[PJ:Zel|PV-2]
[Compteur:Aube 3] [Piste:Traversée 1/4]

? Le bateau est-il attaché ?
-> Non

--- Fin de séance 1 ---
=== Séance 2 ===
[Date]     15/03/2026

T1-S2 *Sur l'eau*
=> Rien.
"""

FILES = {"partylog.md": PARTY, "lonelog-old.md": OLD, "notebook.txt": NOTEBOOK}
"""Text of each example."""
