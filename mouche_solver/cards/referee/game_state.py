"""A game of several deals as an immutable value."""

from dataclasses import dataclass

from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.rules.rules import CardRules


@dataclass(frozen=True)
class Game:
    """A game at one moment. Tuples without further note have one entry per player.

    Players keep their numbers; seats turn with the deal. While a deal runs, ``stacks``, ``pot``,
    ``waiting`` and ``points`` are that deal's.

    Attributes
    ----------
    dealer : int
        The player who deals this deal, or deals next when none is running.
    seating : tuple of int
        The player in each seat of the current or last deal, first hand first.
    alive : tuple of int
        The players who still take part.
    deals : tuple of int
        How often each player has dealt.
    deal : Deal or None
        The deal that runs, or the last one when it is over.
    over : bool
        Whether the game has ended.
    """

    rules: CardRules
    dealer: int
    stacks: tuple[int, ...]
    points: tuple[int, ...]
    alive: tuple[int, ...]
    deals: tuple[int, ...]
    pot: int = 0
    waiting: tuple[int, ...] = ()
    seating: tuple[int, ...] = ()
    deal: Deal | None = None
    over: bool = False

    @property
    def chips(self) -> int:
        """All chips: stacks, pot and waiting mouches; the same from beginning to end."""
        return sum(self.stacks) + self.pot + sum(self.waiting)

    @property
    def between(self) -> bool:
        """Whether the next deal can begin."""
        return not self.over and (self.deal is None or self.deal.outcome is not None)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who gained the most chips, or who reached 0; empty before the end."""
        if not self.over:
            return ()
        if self.rules.scoring == "countdown":
            return tuple(p for p, points in enumerate(self.points) if points == 0)
        start = self.rules.starting_chips
        gains = [stack - chips for stack, chips in zip(self.stacks, start, strict=True)]
        return tuple(p for p, gain in enumerate(gains) if gain == max(gains))

    def _repr_html_(self) -> str:
        from mouche_solver.cards.rules.html import game_html

        return game_html(self)


def next_seating(game: Game) -> tuple[int, ...]:
    """The player in each seat of the deal that comes next: the dealer last."""
    return tuple(sorted(game.alive, key=lambda p: (p - game.dealer - 1) % game.rules.players))
