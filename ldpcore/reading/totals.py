"""Words by which people say that a row of their table is a total or an average, and no person."""

from __future__ import annotations

LONGEST = 60  # letters of what says so
TOTALS = frozenset("total sum summe gesamt insgesamt zusammen somme totale".split())
AVERAGES = frozenset("mean average mittelwert durchschnitt moyenne σ ∑ ø".split())  # where nothing follows
BEGINNINGS = ("sub-total", "subtotal", "zwischensumme", "gesamtsumme", "endsumme")


def is_total(text: str) -> bool:
    """Whether a cell says that its row is a total: Summe, Total:, Gesamt 2023, Σ, Mean."""
    if len(text) > LONGEST:
        return False
    folded = text.casefold().strip(" :=.*_-–()")
    plain = " ".join(filter(None, folded.split(" ")))
    first = plain.removeprefix("grand ").partition(" ")[0]
    if plain in AVERAGES or plain.startswith(BEGINNINGS):
        return True
    return first.strip(":") in TOTALS and plain.count(" ") <= 2  # of a year or two words: no sentence, and no firm
