"""What the observers of both games share: a flat tensor, its pieces by name, what is included."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from mouche_solver.errors import RulesError

Shapes = dict[str, tuple[int, ...]]
Pieces = dict[str, NDArray[np.float32]]


class Observer:
    """What one player sees of a state; conforms to OpenSpiel's Python observers.

    Parameters
    ----------
    table : object
        Constants of the game.
    kind : pyspiel.IIGObservationType
        What to include: public information, whose private information, and the past.
    params : mapping, optional
        There are none.

    Attributes
    ----------
    tensor : numpy.ndarray of float32
        All pieces, flat; overwritten by ``set_from``.
    dict : dict of str to numpy.ndarray
        The pieces by name, as views of the tensor. The layout is documented with the game.

    Raises
    ------
    RulesError
        When ``params`` are given.
    """

    def __init__(self, table: Any, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise RulesError(f"observer parameters {dict(params)}: there are none for this game")
        self._table, self._kind = table, kind
        self._single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._all = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        shapes = self._shapes()
        self.tensor = np.zeros(size_of(shapes), np.float32)
        self.dict: Pieces = pieces_of(self.tensor, shapes)

    def _shapes(self) -> Shapes:
        """The pieces of the tensor, in order."""
        raise NotImplementedError


def pieces_of(tensor: NDArray[np.float32], shapes: Shapes) -> Pieces:
    """Views of a flat tensor.

    Examples
    --------
    >>> pieces = pieces_of(np.zeros(5, np.float32), {"hand": (2,), "tricks": (1, 3)})
    >>> {name: piece.shape for name, piece in pieces.items()}
    {'hand': (2,), 'tricks': (1, 3)}
    """
    pieces, start = {}, 0
    for name, shape in shapes.items():
        pieces[name] = tensor[start : start + prod(shape)].reshape(shape)
        start += prod(shape)
    return pieces


def size_of(shapes: Shapes) -> int:
    """How many numbers pieces of these shapes hold."""
    return sum(map(prod, shapes.values()))
