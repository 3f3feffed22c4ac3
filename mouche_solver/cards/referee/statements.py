"""One action as words: ``stands``, ``exchanges 9H 8H``, ``plays KC`` ..."""

from collections.abc import Sequence

from mouche_solver.cards.referee.actions import (
    Action,
    Answer,
    Ask,
    Exchange,
    NameTrump,
    Pass,
    Play,
    Says,
    Shuffle,
    Stand,
)
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import NotationError

FORMS = (
    "names SUIT, passes, stands, exchanges CARDS, swaps CARD and stands, "
    "swaps CARD and exchanges CARDS, asks NAME, answers yes|no|dodge, plays CARD, revokes CARD"
)
_SAYS: dict[str, Says] = {"yes": "yes", "no": "no", "dodge": "dodge"}


def read_action(rules: CardRules, names: Sequence[str], seat: int, words: Sequence[str]) -> Action:
    """The action of one player from the words after the name.

    Examples
    --------
    >>> read_action(CardRules(), ["A", "B", "C", "D"], 1, ["exchanges", "6C", "7C"])
    Exchange(seat=1, cards=(0, 1), swap=None)
    """
    pack = rules.pack
    match list(words):
        case ["passes"]:
            return Pass(seat)
        case ["stands"]:
            return Stand(seat)
        case ["exchanges", *cards] if cards:
            return Exchange(seat, pack.cards(" ".join(cards)))
        case ["swaps", card, "and", "stands"]:
            return Stand(seat, pack.card(card))
        case ["swaps", card, "and", "exchanges", *cards] if cards:
            return Exchange(seat, pack.cards(" ".join(cards)), pack.card(card))
        case ["names", suit]:
            return NameTrump(seat, pack.suit_number(suit))
        case ["asks", name] if name in names:
            return Ask(seat, names.index(name))
        case ["answers", says] if says in _SAYS:
            return Answer(seat, _SAYS[says])
        case ["plays", card]:
            return Play(seat, pack.card(card))
        case ["revokes", card]:
            return Play(seat, pack.card(card), revoke=True)
    raise NotationError(f"{' '.join(words)!r} is no action; a player {FORMS}")


def write_action(rules: CardRules, names: Sequence[str], action: Action) -> str:
    """The statement for an action; ``names`` are those of the seats.

    Examples
    --------
    >>> write_action(CardRules(), ["A", "B", "C", "D"], Play(2, 8))
    'C plays KC'
    """
    if isinstance(action, Shuffle):
        return f"shuffle {' '.join(rules.pack.names(action.cards))}"
    return f"{names[action.seat]} {_words(rules, names, action)}"


def _words(
    rules: CardRules,
    names: Sequence[str],
    action: NameTrump | Pass | Stand | Exchange | Ask | Answer | Play,
) -> str:
    pack = rules.pack
    match action:
        case NameTrump(suit=suit):
            return f"names {pack.suits[suit]}"
        case Pass():
            return "passes"
        case Ask(of=of):
            return f"asks {names[of]}"
        case Answer(says=says):
            return f"answers {says}"
        case Play(card=card, revoke=revoke):
            return f"{'revokes' if revoke else 'plays'} {pack.name(card)}"
        case Stand() | Exchange():
            swap = "" if action.swap is None else f"swaps {pack.name(action.swap)} and "
            if isinstance(action, Stand):
                return f"{swap}stands"
            return f"{swap}exchanges {' '.join(pack.names(action.cards))}"
