"""Game "The Emissaries of Guenašk", as a `System` for the journal.

A person rolls their dice once and then spends them: two dice are a raise (an attack), one or more dice see it
(defend against it). A blow (a raise seen with three dice or more) leaves fallout, lasting harm.
"""
