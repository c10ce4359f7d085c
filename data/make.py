"""Makes `income.csv` and `clinic.csv`: synthetic people from a fixed seed, the same bytes on every machine.

Only `random.Random(seed).random()` of the standard library is drawn from, whose sequence Python promises to keep.
Run `python data/make.py` from anywhere; it overwrites the two files beside it.
"""

from __future__ import annotations

import math
import random
from itertools import accumulate
from pathlib import Path
from statistics import NormalDist

PEOPLE = 2584
SCHOOLING_BELOW, INCOME_ABOVE, SELECTED = 16, 33_761, 882

# Shares of people by whole years of schooling, 6 to 20: most stop after twelve, a second group after sixteen.
YEARS = range(6, 21)
SHARES = (0.004, 0.006, 0.012, 0.016, 0.020, 0.024, 0.400, 0.076, 0.106, 0.050, 0.153, 0.040, 0.050, 0.020, 0.023)

# Correlations of the three hidden normal variables. Those of the visible columns are smaller where a column is
# grouped (schooling) or heavy-tailed (income); the tests state what comes out.
SCORE_SCHOOLING, SCHOOLING_INCOME, SCORE_INCOME = 0.64, 0.43, 0.388

# Dagum's distribution of incomes, the quantile of u being (u^(-1/p) - 1)^(-1/a): a Pareto tail with exponent a.
TAIL, POOR = 3.0, 0.42

# The four rows that the teaching notebook prints stand first, each in place of the made person of that number: these
# four went to school as long, earned as much in all, and lie on the same sides of the threshold and of the median
# score. So no count by schooling, no sum of incomes and no median moves, and the mean score by 0.0003.
PRINTED = {1332: "6.841,12,5500", 1952: "99.393,16,65000", 2490: "47.412,12,19000", 68: "44.022,14,36000"}

NAMES = (
    "Alice Bob Zoey Amir Anna Ben Carla Chen David Diana Elif Emil Fatima Felix Greta Hannah Hugo Ines Ivan Jakob "
    "Jana Karim Klara Leon Lina Marek Mina Nora Omar Paula Pavel Rosa Samir Selma Theo Tilda Uwe Vera Wanda Yusuf"
).split()
WOMEN = frozenset(
    "Alice Zoey Anna Carla Diana Elif Fatima Greta Hannah Ines Jana Klara Lina Mina Nora Paula Rosa Selma Tilda "
    "Vera Wanda".split()
)
WARDS = ("Surgery", "Cardiology", "Medicine", "Neurology")


def correlated(rng: random.Random) -> tuple[float, float, float]:
    """Three standard normal numbers with the correlations above (the rows of a Cholesky factor, written out)."""
    normal = NormalDist()
    # 1 - random() lies in (0, 1], and random() is never exactly 0 in this sequence: inv_cdf stays finite.
    first, second, third = (normal.inv_cdf(rng.random()) for _ in range(3))
    kept = math.sqrt(1 - SCORE_SCHOOLING**2)
    slope = (SCHOOLING_INCOME - SCORE_SCHOOLING * SCORE_INCOME) / kept
    rest = math.sqrt(1 - SCORE_INCOME**2 - slope**2)
    return (
        first,
        SCORE_SCHOOLING * first + kept * second,
        SCORE_INCOME * first + slope * second + rest * third,
    )


def income(seed: int = 359) -> str:
    """The text of `income.csv`: scores by rank, schooling by shares, incomes scaled until exactly 882 qualify.

    Four of the people give way to the rows that are printed elsewhere, and those that stood first take their places.
    """
    rng = random.Random(seed)
    phi = NormalDist().cdf
    steps = list(accumulate(SHARES))
    people = []
    for _ in range(PEOPLE):
        score, schooling, wealth = correlated(rng)
        level = phi(schooling) * steps[-1]
        years = next(year for year, step in zip(YEARS, steps, strict=True) if level <= step)
        people.append((100 * phi(score), years, (phi(wealth) ** (-1 / POOR) - 1) ** (-1 / TAIL)))
    qualified = sorted((wealth for _, years, wealth in people if years < SCHOOLING_BELOW), reverse=True)
    # The unit of income is put half way between the 882nd and the 883rd, so exactly 882 lie above the threshold.
    unit = (INCOME_ABOVE + 0.5) / math.sqrt(qualified[SELECTED - 1] * qualified[SELECTED])
    rows = [f"{score:.3f},{years},{math.floor(unit * wealth + 0.5)}" for score, years, wealth in people]
    for first, (place, printed) in enumerate(PRINTED.items()):
        rows[first], rows[place] = printed, rows[first]
    return "\n".join(["score,schooling,income", *rows]) + "\n"


def clinic(seed: int = 36) -> str:
    """The text of `clinic.csv`: forty patients, of whom Bob is the only man of 34."""
    rng = random.Random(seed)
    rows = ["Alice,34,F,0,Surgery", "Bob,34,M,1,Cardiology", "Zoey,28,F,0,Medicine"]
    for name in NAMES[3:]:
        age, ward, draw = 19 + int(66 * rng.random()), WARDS[int(len(WARDS) * rng.random())], rng.random()
        sex = "F" if name in WOMEN else "M"
        if sex == "M" and age == 34:
            age = 35
        rows.append(f"{name},{age},{sex},{int(draw < age / 220)},{ward}")
    return "\n".join(["name,age,sex,diabetes,ward", *rows]) + "\n"


if __name__ == "__main__":
    folder = Path(__file__).parent
    for name, text in (("income", income()), ("clinic", clinic())):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")
