"""Observations of a game of dice as tensors and strings, for any IIGObservationType."""

from typing import Any

from mouche_solver.adapters.dice.position import Ended, Position
from mouche_solver.adapters.dice.table import DiceTable
from mouche_solver.adapters.dice.text import information_state, public_text
from mouche_solver.adapters.observer import Observer, Shapes
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_cups, format_hand


class DiceObserver(Observer):
    """What one seat sees of a game of dice; see :class:`Observer`."""

    _table: DiceTable

    def set_from(self, state: Any, player: int) -> None:
        """Fill :attr:`tensor` with what seat ``player`` sees of a state."""
        position: Position = state.position
        self.tensor.fill(0)
        pieces = self.dict
        if "player" in pieces:
            pieces["player"][player] = 1
            _count(pieces["cup"], position.cup(player))
        if "cups" in pieces:
            for seat, row in enumerate(pieces["cups"]):
                _count(row, position.cup(seat))
        if self._kind.public_info:
            self._set_public(position)

    def string_from(self, state: Any, player: int) -> str:
        """What seat ``player`` sees of a state, as a line of text."""
        position: Position = state.position
        if self._kind.public_info and self._kind.perfect_recall and self._single:
            return information_state(position, player)
        parts = []
        if self._single:
            parts.append(f"p{player} {format_hand(position.cup(player))}".rstrip())
        elif self._all:
            parts.append(format_cups(map(position.cup, range(len(position.match.points)))))
        if self._kind.public_info:
            parts.append(public_text(position, self._kind.perfect_recall))
        return " : ".join(filter(None, parts))

    def _set_public(self, position: Position) -> None:
        pieces, past = self.dict, position.before
        seats, _, claims = position.shown
        if "points" in pieces:
            pieces["points"][:] = position.match.points
            pieces["starter"][seats[0]] = 1
        if "claims" in pieces:
            pieces["claims"][list(claims)] = 1
        elif claims:
            pieces["last_claim"][claims[-1]] = 1
            pieces["claimant"][seats[(len(claims) - 1) % len(seats)]] = 1
        if position.past:
            _reveal(pieces["revealed"], position.past[-1])
        if "past_claims" in pieces:
            for row, each in enumerate(past):
                pieces["past_claims"][row, list(each.claims)] = 1
                _reveal(pieces["past_cups"][row], each)

    def _shapes(self) -> Shapes:
        rules, claims = self._table.rules, len(self._table.claims)
        players, faces, past = rules.players, rules.faces, self._table.rounds - 1
        shapes: Shapes = {}
        if self._single:
            shapes |= {"player": (players,), "cup": (faces,)}
        elif self._all:
            shapes["cups"] = (players, faces)
        if not self._kind.public_info:
            return shapes
        if self._table.match:
            shapes |= {"points": (players,), "starter": (players,)}
        if self._kind.perfect_recall:
            shapes["claims"] = (claims,)
        else:
            shapes |= {"last_claim": (claims,), "claimant": (players,)}
        shapes["revealed"] = (players, faces)
        if self._kind.perfect_recall and past:
            shapes |= {"past_claims": (past, claims), "past_cups": (past, players, faces)}
        return shapes


def _count(row: Any, hand: Hand) -> None:
    for face in hand:
        row[face - 1] += 1


def _reveal(rows: Any, ended: Ended) -> None:
    for seat, hand in zip(ended.seats, ended.cups, strict=True):
        _count(rows[seat], hand)
