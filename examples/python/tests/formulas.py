"""The formulas of payloads in the manifests."""

from __future__ import annotations

import numpy as np

MASK = (1 << 64) - 1


def splitmix64(state: int, words: int) -> np.ndarray:
    """Words of the generator, from this state on."""
    with np.errstate(over="ignore"):
        z = np.uint64(state) + np.arange(1, words + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def payload(formula: str, length: int) -> bytes:
    """The bytes that a formula stands for."""
    formula, _, newline = formula.partition("+nl")
    formula, _, no_newline = formula.partition("-nl") if "+nl" not in formula else (formula, "", "")
    name, _, rest = formula.partition(":")
    if name == "lin":
        a, b = map(int, rest.split(","))
        return ((a * np.arange(length) + b) % 256).astype("u1").tobytes()
    if name == "sm64":
        return splitmix64(int(rest), -(-length // 8)).astype("<u8").tobytes()[:length]
    if name == "quad":
        c, s = map(int, rest.split(","))
        k = np.arange(-(-length // 8))
        return (k * (k - c) / 2**s).astype("<f8").tobytes()[:length]
    if name == "per":
        period, seed = map(int, rest.split(","))
        once = payload(f"sm64:{seed}", period)
        return (once * (length // max(period, 1) + 1))[:length]
    if name in ("rep", "lit"):
        pattern = bytes.fromhex(rest)
        return (pattern * (length // max(len(pattern), 1) + 1))[:length]
    raise ValueError(formula)


def sizes(formula: str, count: int) -> list[int]:
    """The sizes of elements that a formula stands for."""
    name, _, rest = formula.partition(":")
    numbers = [int(number) for number in rest.split(",") if number]
    if name == "list":
        return numbers
    if name == "const":
        return numbers * count
    a, b, modulus = numbers
    return [(a * i + b) % modulus for i in range(count)]
