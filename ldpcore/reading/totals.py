"""Words by which people say that a row of their table is a total or an average, and no person."""

from __future__ import annotations

from ldpcore.reading.notations import spelled_alike

LONGEST = 60  # letters of what says so
TOTALS = frozenset("total sum summe gesamt insgesamt zusammen somme totale".split())
# Where nothing follows:
AVERAGES = frozenset("mean average mittelwert durchschnitt moyenne میانگین متوسط معدل σ ∑ ø".split())
# In Persian these stand alone or before a year, for the same words begin others.
TOTAL_PHRASES = frozenset("جمع, مجموع, کل, جمع کل, مجموع کل, سرجمع, حاصل جمع, جمع جزء".split(", "))
BEGINNINGS = ("sub-total", "subtotal", "zwischensumme", "gesamtsumme", "endsumme")


def is_total(text: str) -> bool:
    """Whether a cell says that its row is a total: Summe, Total:, Gesamt 2023, Σ, Mean."""
    if len(text) > LONGEST:
        return False
    folded = text.casefold().strip(" :=.*_-–()")
    plain = " ".join(filter(None, folded.split(" ")))
    alike = spelled_alike(plain)
    phrase, _, year = alike.rpartition(" ")
    if alike in TOTAL_PHRASES or (phrase in TOTAL_PHRASES and year.isdecimal()):
        return True
    first = plain.removeprefix("grand ").partition(" ")[0]
    if plain in AVERAGES or plain.startswith(BEGINNINGS):
        return True
    return first.strip(":") in TOTALS and plain.count(" ") <= 2  # of a year or two words: no sentence, and no firm
