"""Fields for the tests of writing."""

from __future__ import annotations

from typing import Any

import numpy as np

LATTICE = (4, 2, 3, 5)
"""t, z, y, x: all different, so that no order is mistaken for another."""


def unitary(colors: int, shape: tuple[int, ...] = (*LATTICE, 4), *, seed: int = 1) -> np.ndarray:
    """Links of SU(N)."""
    random = np.random.default_rng(seed)
    links = random.normal(size=(*shape, colors, colors)) + 1j * random.normal(size=(*shape, colors, colors))
    links, upper = np.linalg.qr(links)
    # Without this, all of them are Hermitian reflections.
    diagonal = np.einsum("...ii->...i", upper)
    links = links * (diagonal / abs(diagonal))[..., None, :]
    return links / (np.linalg.det(links) ** (1 / colors))[..., None, None]


def orthogonal(colors: int, shape: tuple[int, ...] = (*LATTICE, 4)) -> np.ndarray:
    """Links of SO(N)."""
    links = np.linalg.qr(np.random.default_rng(2).normal(size=(*shape, colors, colors)))[0]
    links[..., 0, :] *= np.linalg.det(links)[..., None]
    return links


def symplectic(shape: tuple[int, ...] = (*LATTICE, 4)) -> np.ndarray:
    """Links of SP(4): two of SU(2) as blocks."""
    links = np.zeros((*shape, 4, 4), "c16")
    one, other = unitary(2, shape, seed=3), unitary(2, shape, seed=4)
    # The rows and columns of a pair are N/2 apart.
    links[..., ::2, ::2], links[..., 1::2, 1::2] = one, other
    return links


def phases(shape: tuple[int, ...] = (*LATTICE, 4)) -> np.ndarray:
    return np.random.default_rng(5).uniform(-3, 3, size=(*shape, 1, 1))


def numbers(*inside: int, is_complex: bool = True, lattice: tuple[int, ...] = LATTICE) -> np.ndarray:
    """Numbers that are all different, and that single precision holds."""
    shape = (*lattice, *inside)
    array: Any = (np.arange(np.prod(shape), dtype="f8") - 100).reshape(shape) / 64
    return array + 0.5j * array if is_complex else array


GAUGE: dict[str, np.ndarray] = {
    "su3gauge": unitary(3),
    "su2gauge": unitary(2),
    "su4gauge": unitary(4),
    "u3gauge": unitary(3) * np.exp(0.3j),
    "u1gauge": np.exp(1j * phases()),
    "u1phase": phases(),
    "so3gauge": orthogonal(3),
    "sp4gauge": symplectic(),
}
"""Links of every family of kinds of ILDG."""

ITEMS: dict[str, tuple[tuple[int, ...], bool]] = {
    "real": ((), False),
    "complex": ((), True),
    "color_vector": ((3,), True),
    "color_matrix": ((3, 3), True),
    "half_fermion": ((2, 3), True),
    "dirac_fermion": ((4, 3), True),
    "propagator": ((4, 4, 3, 3), True),
}
"""Axes of a site of every other kind, and whether the numbers are complex."""


def single(array: np.ndarray) -> np.ndarray:
    return array.astype("c8" if array.dtype.kind == "c" else "f4")
