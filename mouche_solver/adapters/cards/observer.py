"""Observations of a game of cards as tensors and strings, for any IIGObservationType."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.cards.table import CardTable
from mouche_solver.adapters.cards.text import drawn_text, information_state, public_now, recalled
from mouche_solver.adapters.cards.view import DealView, current_view, deal_view
from mouche_solver.adapters.observer import Observer, Pieces, Shapes, pieces_of, size_of
from mouche_solver.cards.rules.pack import cards_of

# What marks a card drawn from the pile; one from the stock has 1.
_PILED = 2.0


class CardObserver(Observer):
    """What one player sees of a game of cards; see :class:`Observer`."""

    _table: CardTable

    def _shapes(self) -> Shapes:
        table, kind = self._table, self._kind
        players, cards = table.rules.players, table.rules.pack.size
        self._deal = self._deal_shapes()
        shapes: Shapes = {"player": (players,)} if self._single else {}
        if self._single or self._all:
            shapes["hand"] = (cards,) if self._single else (players, cards)
        shapes |= self._deal
        if kind.public_info and not kind.perfect_recall and table.many:
            shapes["money"] = (players + 2,)
        past = table.deals - 1 if kind.perfect_recall else 0
        if past and self._deal:
            shapes["past"] = (past, size_of(self._deal))
        return shapes

    def set_from(self, state: Any, player: int) -> None:
        """Fill :attr:`tensor` with what ``player`` sees of a state."""
        position: CardPosition = state.position
        view, pieces = current_view(position), self.dict
        self.tensor.fill(0)
        if self._single:
            pieces["player"][player] = 1
        self._set_cards(pieces, "hand", view.seating, view.hands, player)
        self._set_deal(pieces, view, player)
        if "money" in pieces and position.game is not None:
            game, ante = position.game, position.table.rules.ante_chips
            source = game.points or game.stacks
            scale = 1 if game.points else ante
            money = [*source, *(() if game.points else (game.pot, sum(game.waiting)))]
            pieces["money"][: len(money)] = np.array(money) / scale
        if "past" in pieces:
            for row, ended in zip(pieces["past"], position.past, strict=False):
                self._set_deal(pieces_of(row, self._deal), deal_view(*ended), player)

    def string_from(self, state: Any, player: int) -> str:
        """What ``player`` sees of a state, as a line of text."""
        position: CardPosition = state.position
        kind = self._kind
        if kind.public_info and kind.perfect_recall:
            if self._single:
                return information_state(position, player)
            return recalled(position, range(position.table.rules.players) if self._all else ())
        view = current_view(position)
        parts = []
        if self._single or self._all:
            held = dict(zip(view.seating, view.hands, strict=False))
            eyes = [player] if self._single else range(position.table.rules.players)
            parts = [
                f"p{each} {self._table.cards_text(held.get(each, 0))}".strip() for each in eyes
            ]
        if kind.public_info:
            parts.append(public_now(position))
        elif kind.perfect_recall and self._single:
            parts += [self._own(each, player) for each in (*self._past(position), view)]
        return " : ".join(filter(None, parts))

    def _past(self, position: CardPosition) -> list[DealView]:
        return [deal_view(*ended) for ended in position.past]

    def _own(self, view: DealView, player: int) -> str:
        """A player's own cards of a deal: dealt, laid down and drawn."""
        if player not in view.seating:
            return ""
        seat, text = view.seating.index(player), self._table.cards_text
        words = f"dealt {text(view.dealt[seat])}"
        if view.laid[seat]:
            words += f", {text(view.laid[seat])} for {drawn_text(self._table, view, seat)}"
        return words

    def _deal_shapes(self) -> Shapes:
        """The pieces that belong to one deal."""
        rules, kind = self._table.rules, self._kind
        players, cards = rules.players, rules.pack.size
        shapes: Shapes = {}
        if kind.perfect_recall and (self._single or self._all):
            shape = (cards,) if self._single else (players, cards)
            shapes |= {"dealt": shape, "laid": shape, "drawn": shape}
        if not kind.public_info:
            return shapes
        if self._table.many:
            shapes["seats"] = (players, players)
        if kind.perfect_recall:
            shapes["turned"] = (cards,)
        if rules.dealer_takes_trump or not kind.perfect_recall:
            shapes["face_up"] = (cards,)
        shapes["trump"] = (len(rules.pack.suits),)
        shapes["declared"] = (players, 2 + rules.max_exchange)
        if kind.perfect_recall:
            shapes["played"] = (rules.hand_size, players, cards)
        else:
            shapes |= {"trick": (players, cards), "leader": (players,), "won": (players,)}
        if rules.pamphile:
            shapes["pamphile"] = (players,)
        if rules.scoring == "countdown":
            shapes["ace"] = (players,)
        if rules.mouche:
            shapes["shown"] = (players, cards)
        return shapes

    def _set_deal(self, pieces: Pieces, view: DealView, player: int) -> None:
        seating = view.seating
        for name in ("dealt", "laid", "drawn"):
            self._set_cards(pieces, name, seating, getattr(view, name), player)
        self._set_cards(pieces, "drawn", seating, view.piled, player, _PILED)
        _mark(pieces, "turned", view.turned)
        _mark(pieces, "face_up", view.face_up)
        _mark(pieces, "trump", view.trump)
        _mark(pieces, "pamphile", None if view.pamphile is None else seating[view.pamphile])
        _mark(pieces, "ace", None if view.ace is None else seating[view.ace])
        for seat, who in enumerate(seating):
            if "seats" in pieces:
                pieces["seats"][seat, who] = 1
            if "shown" in pieces and view.shown:
                pieces["shown"][who, list(cards_of(view.shown[seat]))] = 1
            if "declared" in pieces and view.said[seat] is not None:
                pieces["declared"][who, _declared(view, seat)] = 1
        if "played" in pieces:
            for row, trick in zip(pieces["played"], view.tricks, strict=False):
                for seat, card in trick:
                    row[seating[seat], card] = 1
        elif "trick" in pieces:
            self._set_trick(pieces, view)

    def _set_trick(self, pieces: Pieces, view: DealView) -> None:
        """The trick on the table and the tricks won, which everybody can count."""
        for seat, won in enumerate(view.won):
            pieces["won"][view.seating[seat]] = won
        if not view.unfinished:
            return
        trick = view.tricks[-1]
        pieces["leader"][view.seating[trick[0][0]]] = 1
        for seat, card in trick:
            pieces["trick"][view.seating[seat], card] = 1

    def _set_cards(
        self,
        pieces: Pieces,
        name: str,
        seating: Sequence[int],
        cards: Sequence[int],
        player: int,
        mark: float = 1.0,
    ) -> None:
        if name not in pieces:
            return
        for who, mask in zip(seating, cards, strict=False):
            if self._all:
                pieces[name][who, list(cards_of(mask))] = mark
            elif who == player:
                pieces[name][list(cards_of(mask))] = mark


def _declared(view: DealView, seat: int) -> int:
    """Pass, stand, or how many cards."""
    said = view.said[seat]
    return 1 + view.counts[seat] if said == "exchange" else int(said == "stand")


def _mark(pieces: Pieces, name: str, index: int | None) -> None:
    if name in pieces and index is not None:
        pieces[name][index] = 1
