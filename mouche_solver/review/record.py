"""A reviewed game: every decision, totals for each player, the result as skill and luck.

Marks follow backgammon's thresholds of 0.02 and 0.08 in the unit of the game. The unit is a point
of a round for dice (+1 won, -1 lost), a pot for the cards of 1718, and five points (the tricks of a
deal) for Mushka.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Mark = Literal["", "inaccuracy", "mistake", "blunder"]
# The least loss of a mark, in units of the game, the worst first.
THRESHOLDS: tuple[tuple[Mark, float], ...] = (
    ("blunder", 0.08),
    ("mistake", 0.04),
    ("inaccuracy", 0.02),
)
# A decision is trivial when no second action comes this close to the best.
CLOSE = 0.25
# Answers that lose no more than this are as good as the best.
NEAR_BEST = 0.01


def mark_of(loss: float, unit: float = 1.0) -> Mark:
    """The mark of a loss.

    Parameters
    ----------
    loss : float
        Best value minus the value of what was done.
    unit : float
        The unit of the game in which ``loss`` is given.

    Examples
    --------
    >>> [mark_of(loss) for loss in (0.01, 0.02, 0.05, 0.3)]
    ['', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((mark for mark, least in THRESHOLDS if loss >= least * unit - 1e-12), "")


# Told before each decision: how many are done, and of how many. What it raises ends the review.
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Choice:
    """One action that could have been taken.

    Attributes
    ----------
    action : str
    probability : float
    value : float or None
        None where it is not known.
    error : float or None
        Standard error of a value that was sampled.
    gap : float or None
        Half a 95% interval of how much less it is worth than the action that is advised most, where
        both were played in the same guessed deals.
    few : bool
        Whether the value rests on so few visits of training or guesses that it is not to be shown
        without saying so.
    """

    action: str
    probability: float
    value: float | None
    error: float | None = None
    gap: float | None = None
    few: bool = False


@dataclass(frozen=True)
class Decision:
    """One decision of a written game.

    Attributes
    ----------
    number : int
        Counted from 1 through the whole game.
    part : int
        The round or deal, counted from 1.
    player : str
    position : str
        What was public, in the notation of the game.
    hand : str
    action : str
        What was done.
    mix : tuple of Choice
        What the strategy does.
    value, best_value, loss : float or None
        Of what was done, of the best action, and the difference; None where not known.
    best : str or None
    error : float or None
        How far the loss may be off on average over hands; None where nothing is known of it.
    mark : str
        inaccuracy, mistake or blunder, or nothing.
    label : str
        Why values are missing or to be taken with care; empty where there is nothing to say.
    trivial : bool
        Whether the choice was no choice: one legal action, or no second one near the best.
    reason : str
        Why it cost what it cost, in one sentence; empty where nothing is known.
    step : int
        Actions of the round or deal before it.
    dice : tuple of int
        Dice of those in the round, its opener first; empty for cards.
    """

    number: int
    part: int
    player: str
    position: str
    hand: str
    action: str
    mix: tuple[Choice, ...]
    value: float | None
    best_value: float | None
    loss: float | None
    best: str | None
    error: float | None
    mark: Mark
    label: str
    trivial: bool
    reason: str = ""
    step: int = 0
    dice: tuple[int, ...] = ()

    def flat(self) -> dict[str, Any]:
        """The decision as one row, the mix in words."""
        row = asdict(self)
        shown = sorted(self.mix, key=lambda c: -c.probability)
        row["mix"] = ", ".join(
            f"{c.action} {c.probability:.0%}" for c in shown if c.probability >= 0.005
        )
        return row


def judge(
    mix: tuple[Choice, ...], action: str, unit: float
) -> tuple[float | None, float | None, float | None, str | None, Mark, bool]:
    """Value, best value, loss, best action, mark, and whether the decision was trivial.

    Examples
    --------
    >>> mix = (Choice("doubt", 0.0, -0.2), Choice("3x5", 1.0, 0.1))
    >>> judge(mix, "doubt", 1.0)
    (-0.2, 0.1, 0.30000000000000004, '3x5', 'blunder', True)
    """
    known = [c for c in mix if c.value is not None]
    if len(mix) < 2 or not known:
        return None, None, None, None, "", len(mix) < 2
    best = max(known, key=lambda c: (c.value or 0.0, c.probability))
    top = best.value if best.value is not None else 0.0
    near = sum(c.value is not None and top - c.value <= CLOSE * unit for c in known)
    done = next((c.value for c in known if c.action == action), None)
    if done is None or len(known) < len(mix):
        return done, top, None, best.action, "", near < 2
    loss = max(0.0, top - done)
    return done, top, loss, best.action, mark_of(loss, unit), near < 2


@dataclass(frozen=True)
class Split:
    """A player's result as skill and luck; ``result = skill + luck``.

    Attributes
    ----------
    result : float
        What the player won, in the unit of the game.
    luck : float
        What dice or cards gave him by a value function that was fixed beforehand. Its expectation
        is zero whoever plays, so ``skill`` is an unbiased estimate of the expected result.
    skill : float
    """

    result: float
    luck: float
    skill: float


@dataclass(frozen=True)
class Review:
    """A reviewed game.

    Attributes
    ----------
    game : {"dice", "cards"}
    rules : dict
    players : tuple of str
    unit : float
        What the thresholds are multiplied with.
    unit_name : str
    quality : str
        How good the strategy that judged is known to be.
    decisions : tuple of Decision
    splits : dict
        By player; empty where the value function is not known for these rules.
    deals : tuple of dict
        Of cards, ``order`` and ``line`` of each deal, see :mod:`mouche_solver.review.deals`.
    no_split : str
        Why there are no splits, in one line; empty where there are.
    """

    game: str
    rules: dict[str, Any]
    players: tuple[str, ...]
    unit: float
    unit_name: str
    quality: str
    decisions: tuple[Decision, ...]
    splits: dict[str, Split]
    deals: tuple[dict[str, Any] | None, ...] = ()
    no_split: str = ""

    def totals(self) -> list[dict[str, Any]]:
        """One row for each player: losses, marks, error per non-trivial decision, the split."""
        rows = []
        for player in self.players:
            own = [d for d in self.decisions if d.player == player]
            known = [d for d in own if d.loss is not None]
            hard = [d for d in known if not d.trivial]
            split = self.splits.get(player)
            row: dict[str, Any] = {
                "player": player,
                "decisions": len(own),
                "unknown": sum(d.loss is None and len(d.mix) > 1 for d in own),
                "nontrivial": len(hard),
                "loss": sum(d.loss or 0.0 for d in known),
                "error_per_decision": sum(d.loss or 0.0 for d in hard) / len(hard)
                if hard
                else None,
            }
            for mark, _ in reversed(THRESHOLDS):
                row[mark] = sum(d.mark == mark for d in own)
            for name in ("result", "skill", "luck"):
                row[name] = None if split is None else getattr(split, name)
            rows.append(row)
        return rows

    def worst(self, player: str | None = None) -> Decision | None:
        """The decision that cost most, of one player or of all; None when nothing was lost."""
        lost = [d for d in self.decisions if d.loss and player in (None, d.player)]
        return max(lost, key=lambda d: d.loss or 0.0) if lost else None

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types."""
        return {
            "game": self.game,
            "rules": self.rules,
            "players": list(self.players),
            "unit": self.unit_name,
            "thresholds": {mark: least * self.unit for mark, least in THRESHOLDS},
            "quality": self.quality,
            "totals": self.totals(),
            "no_split": self.no_split,
            "decisions": [asdict(d) for d in self.decisions],
            "deals": list(self.deals),
        }
