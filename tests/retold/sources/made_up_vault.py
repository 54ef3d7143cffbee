"""A made-up vault of Iron Vault: two notes of play, and a character's sheet beside them."""

from __future__ import annotations

FERRY = r"""---
date: 2026-03-01
tags: [play]
---
# The ferry

The ferry has not moved since noon. [[Zel]] walks down to [[Places/The Landing.md|the landing]].
Its lamp is lit all the same.

> "Somebody is aboard."

```iron-vault-mechanics
actor name="[[Characters\/Zel.md|Zel]]" {
    move "[Face Danger](datasworn:move:example\/face_danger)" {
        add 1 "a quiet step"
        roll "shadow" action=3 stat=2 adds=1 vs1=4 vs2=9
        reroll vs2=5
        burn from=7 to=2
        meter "health" from=5 to=4
    }
}
```
^the-landing

The planks hold. `iv-move:Gather Information|wits|4|2|0|1|6|move:example` Nobody has slept here. ^planks

`iv-oracle:Action|45|Bolster` `iv-meter:Spirit|3|2`

`iv-ooc:look up how long a candle lasts`

## Below

```iron-vault-mechanics
- "Is anybody in the hold?" {
    oracle name="[Ask the Oracle \/ Likely](datasworn:oracle:example)" roll=34 result="Yes" {
        oracle "Who" 71 "a child"
    }
}
progress name="[[Vows\/The lamp.md|The lamp]]" from=12 rank="formidable" steps=2
track "The lamp" from-boxes=5 from-ticks=0 to-boxes=5 to-ticks=2
track "The old man" status="added"
clock "[[Flood]]" from=1 to=2 out-of=6
clock "Dawn" status="resolved"
xp 2 4
impact "Wounded" "marked"
lantern "low" oil=1
```

> [!INFO] What the hold is like
> Water, to the knee.
>
> ```iron-vault-mechanics
> progress-roll score=5 vs1=6 vs2=2
> ```

> [!spoiler]- Who lit the lamp
> Nobody did.

%%The child is the ferryman's.%%

```mechanics
roll "iron" {
```

![[map.png]]

---

```dataview
list from "Vows"
```

A picture of it: ![[lamp.png]] (OOC we stop here)
"""

NEXT_DAY = """# 2026-03-02

The child does not speak.

// ten minutes late

`iv-progress:Fulfill Your Vow|The lamp|7|3|9`
`iv-clock-advance:Flood|Clocks/Flood.md|2|4|2|6|odds=Likely:45:Yes`

`iv-reroll:action|3|6|iron|2|1|4|7|6` `iv-entity-create:NPC|Pell|Entities/Pell.md`
`iv-track-complete:The lamp|x.md` `iv-dice:2d6+1|8` `iv-unknown:what`
"""

SHEET = """---
name: Zel
iron-vault-kind: character
momentum: 2
---
[[Zel]]'s sheet.
"""

FILES = {
    "iron-vault/2026-03-01 The ferry.md": FERRY,
    "iron-vault/2026-03-02.md": NEXT_DAY,
    "iron-vault/Zel.md": SHEET,
}
