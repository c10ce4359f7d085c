"""Short texts as TeX reads them: signs of mathematics in formulas, signs with a meaning of their own escaped."""

from __future__ import annotations

import re

_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "₀₁₂₃₄₅₆₇₈₉₋₊"
_DIGITS = "0123456789-+"
_LEVEL = str.maketrans(_RAISED + _LOWERED, 2 * _DIGITS)
_NAMED = """
α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma
τ tau φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
± pm × times · cdot ≤ leq ≥ geq ≠ neq ≈ approx ∞ infty → rightarrow ← leftarrow ↑ uparrow ↓ downarrow ∈ in √ surd
∑ sum ∂ partial ∫ int ′ prime ÷ div ■ blacksquare
""".split()
_MATH = {sign: rf"\{name}" for sign, name in zip(_NAMED[::2], _NAMED[1::2], strict=True)} | {"−": "-"}
_ESCAPED = {sign: rf"\{sign}" for sign in "{}$&#%_"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u202f": r"\,",
    "\u2009": r"\,",
    "\xa0": "~",
    "…": r"\dots{}",
}
_PARTS = re.compile(rf"(\d*)([{_RAISED}]+)|(\w?)([{_LOWERED}]+)|([{''.join(_MATH)}])|(.)", re.DOTALL)


def tex(text: str) -> str:
    r"""A text for TeX: `ε = 10⁻⁵` becomes `$\varepsilon$ = $10^{-5}$`."""
    return "".join(_part(*match.groups()) for match in _PARTS.finditer(text)).replace("$$", "")


def _part(base: str, raised: str, stem: str, lowered: str, sign: str, other: str) -> str:
    if raised:
        return f"${base}^{{{raised.translate(_LEVEL)}}}$"
    if lowered:
        return f"{stem}$_{{{lowered.translate(_LEVEL)}}}$"
    return f"${_MATH[sign]}$" if sign else _ESCAPED.get(other, other)
