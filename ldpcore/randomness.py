"""Random numbers from the operating system, for clients whose people are real; simulations take a seed instead.

NumPy's own generators are made to be repeated: who knows the seed, or has seen enough numbers, knows everybody's coins.
`secure()` is a `numpy.random.Generator` over a true `BitGenerator` whose every word comes from `os.urandom`, so that
all that NumPy draws, and every mechanism here, draws from the operating system. What that makes of a level is said by
`Design.arithmetic()`: coins (`toss`) and bounded integers have exact probabilities, down to the last binary digit of
their float; what is drawn as a floating-point number has not, whatever the source.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, NoReturn

import numpy as np

BLOCK = 1 << 15  # whole numbers that are drawn at once, which stay in the processor's cache
BUFFER = 1 << 14  # bytes that are asked for at once, and forgotten as they are used


class _Functions(ctypes.Structure):
    """The functions that NumPy's C code calls for random words: `bitgen_t` of its random API."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.c_void_p),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", ctypes.c_void_p),
        ("next_raw", ctypes.c_void_p),
    )


_WORD = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_HALF = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_FRACTION = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class SystemBits(np.random.BitGenerator):
    """A source of random words that come from the operating system alone: it has no seed, no state and no copy."""

    def __init__(self) -> None:
        super().__init__(0)  # a seed sequence that nothing is drawn from
        self._words: list[int] = []
        self._process = os.getpid()
        source = weakref.ref(self)  # the functions below are kept by this object: no circle, so that it can go

        def word(_: int | None) -> int:
            own = source()
            assert own is not None
            return own.word()

        # Each word is used once: NumPy's 53 bits of a fraction and the 32 of a half word are taken from a whole one.
        self._calls: tuple[Any, ...] = (
            _WORD(word),
            _HALF(lambda state: word(state) >> 32),
            _FRACTION(lambda state: (word(state) >> 11) * 2.0**-53),
            _WORD(word),
        )
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        functions = _Functions.from_address(address(self.capsule, b"BitGenerator"))
        names = ("next_uint64", "next_uint32", "next_double", "next_raw")
        for name, call in zip(names, self._calls, strict=True):
            setattr(functions, name, ctypes.cast(call, ctypes.c_void_p).value)

    def word(self) -> int:
        """The next 64 random bits."""
        if not self._words or self._process != os.getpid():  # a fork must not repeat what its parent draws next
            self._process = os.getpid()
            self._words = np.frombuffer(os.urandom(BUFFER), dtype=np.uint64).tolist()
        return self._words.pop()

    @property
    def state(self) -> NoReturn:
        """Refused: there is no state, since words once drawn cannot be drawn again."""
        raise TypeError("the operating system's random numbers must not be repeated; they have no state")

    @state.setter
    def state(self, value: object) -> NoReturn:
        raise TypeError("the operating system's random numbers must not be repeated; they have no state")

    def spawn(self, n_children: int) -> list[Any]:
        """`n_children` sources of the same kind, independent as all their words are."""
        return [SystemBits() for _ in range(n_children)]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a generator that draws from the operating system must not be copied; make another one")


class SystemGenerator(np.random.Generator):
    """NumPy's generator over `SystemBits`, which draws fractions and whole numbers, the commonest draws, in blocks."""

    def __init__(self) -> None:
        super().__init__(SystemBits())

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Multiples of 2^-53 in [0, 1), as in NumPy."""
        if size is None or out is not None or np.dtype(dtype) != np.float64:
            return super().random(size, dtype, out)
        words = _system_words(size)
        words >>= np.uint64(11)
        return words * 2.0**-53

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """Whole numbers of exactly equal probability: draws that would favor some are rejected, as in NumPy."""
        if high is None:
            low, high = 0, low
        kind = np.dtype(dtype)
        if size is not None and kind.kind in "iu" and _is_whole(low) and _is_whole(high):
            first, last = int(low), int(high) - (not endpoint)
            bounds = np.iinfo(kind)
            if bounds.min <= first <= last <= bounds.max:
                return _whole_numbers(first, last - first + 1, _shape(size), kind)
        return super().integers(low, high, size, dtype, endpoint)

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        """`n_children` generators of the same kind."""
        return [SystemGenerator() for _ in range(n_children)]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a generator that draws from the operating system must not be copied; make another one")


def _system_words(size: Any) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Random words straight from the operating system."""
    shape = _shape(size)
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(bytearray(os.urandom(8 * count)), dtype=np.uint64).reshape(shape)


def _shape(size: Any) -> tuple[int, ...]:
    return (int(size),) if np.ndim(size) == 0 else tuple(int(length) for length in size)


def _is_whole(bound: Any) -> bool:
    return isinstance(bound, (int, np.integer)) and not isinstance(bound, bool)


def _whole_numbers(first: int, span: int, shape: tuple[int, ...], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Whole numbers from `first` on, exactly uniform over `span` values: drawn in blocks, by rejection."""
    if span == 1 << 64:
        return _system_words(shape).view(kind)
    numbers = np.empty(int(np.prod(shape, dtype=np.int64)), dtype=kind)
    bits = next(bits for bits in (16, 32, 64) if span <= 1 << (bits - 4) or bits == 64)
    for start in range(0, len(numbers), BLOCK):
        block = numbers[start : start + BLOCK]
        drawn, fair = placed(_narrow_words(len(block), bits), span, bits)
        while len(unfair := np.flatnonzero(~fair)):
            drawn[unfair], fair[unfair] = placed(_narrow_words(len(unfair), bits), span, bits)
        # Modulo 2^64, so that negative numbers come out as their own bits.
        block[:] = drawn if first == 0 else drawn.astype(np.uint64) + np.uint64(first % 2**64)
    return numbers.reshape(shape)


def _narrow_words(count: int, bits: int) -> np.ndarray[Any, Any]:
    """Random words of 16, 32 or 64 bits straight from the operating system."""
    return np.frombuffer(os.urandom(bits // 8 * count), dtype=f"u{bits // 8}")


def placed(words: np.ndarray[Any, Any], span: int, bits: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The number below `span` that each random word stands for, and which of them are fair: the others are drawn again.

    Narrow words: of all w, the numbers ⌊w·span/2^bits⌋ occur equally often where the w with w·span mod 2^bits below
    2^bits mod span are left out (Lemire 2019, Fast random integer generation in an interval). Wide ones have no
    product that fits; there the lowest bits count, and those are left out that are not below the span.
    """
    if bits == 64:
        drawn = words & np.uint64((1 << (span - 1).bit_length()) - 1)
        return drawn, drawn < np.uint64(span)
    wide: Any = np.uint32 if bits == 16 else np.uint64  # which holds the product
    product: Any = words.astype(wide)
    product *= wide(span)
    rest = product & wide((1 << bits) - 1)
    return product >> wide(bits), rest >= wide((1 << bits) % span)


def secure() -> np.random.Generator:
    """A generator whose every random word comes from the operating system; it cannot be seeded, copied or repeated.

    >>> import ldpcore
    >>> survey = ldpcore.build("grr", 1.0, ["red", "green", "blue"])
    >>> reports = survey.privatize(["red"] * 100, ldpcore.randomness.secure())
    >>> survey.tally(reports).n
    100
    """
    return SystemGenerator()
