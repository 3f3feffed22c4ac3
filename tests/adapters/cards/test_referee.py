"""Random games in OpenSpiel follow the referee move by move, under every option.

A game is played through public pyspiel calls and read back from the words of its actions; the
referee then gets the cards in the order in which they came.
"""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

import pyspiel
import pytest

from mouche_solver.adapters.openspiel import load_cards_game
from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.actions import Exchange, NameTrump, Pass, Play, Shuffle, Stand
from mouche_solver.cards.referee.game import apply, begin_deal, new_game
from mouche_solver.cards.referee.referee import legal_actions
from mouche_solver.cards.rules.pack import cards_of

SMALL = {"ranks": ("K", "Q", "J", "A"), "suits": ("C", "D"), "hand_size": 2}
TIGHT = {"ranks": ("K", "Q", "J", "A", "10"), "suits": ("C", "H"), "hand_size": 3, "players": 3}
ONE_BY_ONE = {"mouches_paid_in": "largest-first", "sweep": True, "cap": 3}
GAMES = [
    CardRules(),
    CardRules(players=2),
    CardRules(players=6, pamphile=True, dealer_takes_trump=True),
    CardRules(players=3, must_head=False, must_overtrump=False, cap=5),
    CardRules(players=3, deck="piquet", mouche_must_stand=True, passers_pay=True),
    CardRules(players=3, **SMALL, pamphile=True, pamphile_pays="fifth", pamphile_any_suit=True),
    CardRules(players=3, **SMALL, reshuffle=False, dealer_takes_trump=True, exchange_cap=1),
    CardRules(**TIGHT, own_discards_return=True, head_when_trumped=True),
    CardRules(**TIGHT, passed_hands_return=False, must_trump=False, losing_holders_pay=False),
    CardRules(**TIGHT, **ONE_BY_ONE, mouche_after_exchange=True, mouche_order="highest-card"),
    CardRules(**TIGHT, mouches_paid_in="first-in-first-out", ante=6, pamphile=True),
    CardRules(**TIGHT, **ONE_BY_ONE, one_at_a_time="per-deal"),
    CardRules(**TIGHT, debts=False, chips=(4, 7, 3)),
    CardRules(**TIGHT, must_follow=False, mouche=False, first_dealer=1),
    CardRules.mushka(3),
    CardRules.mushka(4, ace_instead_of_following=True, countdown_from=5),
]


@dataclass
class Event:
    """One action of a game, with everything there was to choose from."""

    player: int
    text: str
    legal: frozenset[str]


def play(game: pyspiel.Game, rng: random.Random) -> tuple[list[Event], list[float]]:
    """A random game; a kind of action is drawn before the action, so that all kinds occur."""
    state, events = game.new_initial_state(), []
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        texts = {state.action_to_string(player, action): action for action in legal}
        assert len(texts) == len(legal)
        kind = rng.choice(sorted({text.split()[0] for text in texts}))
        text = rng.choice(sorted(text for text in texts if text.split()[0] == kind))
        events.append(Event(player, text, frozenset(texts)))
        state.apply_action(texts[text])
    return events, state.returns()


class Retold:
    """The game that the events tell, played by the referee."""

    def __init__(self, rules: CardRules, deals: int, events: list[Event]) -> None:
        self.rules, self.pack = rules, rules.pack
        dealer = rules.players - 1 if rules.first_dealer is None else rules.first_dealer
        if events[0].text.startswith("dealer"):
            dealer = int(events.pop(0).text[8:])
        game = new_game(replace(rules, rounds=max(deals, rules.rounds)), dealer)
        starts = [i for i, e in enumerate(events) if e.text.startswith("turn up")]
        for first, last in zip(starts, [*starts[1:], len(events)], strict=True):
            game = self.deal(game, events[first:last])
        self.game = game

    def cards(self, event: Event) -> tuple[int, ...]:
        """The cards that an action names."""
        names = event.text.removeprefix("turn up ").split(" ")
        return tuple(self.pack.card(name) for name in names if name in self.pack.all_names)

    def deal(self, game, events: list[Event]):
        """One deal: the stock is what was drawn, in order, and then the rest."""
        hands = [self.cards(e) for e in events if e.text.startswith("deal ")]
        order = [*chain(*hands), *self.cards(events[0])]
        stock = set(range(self.pack.size)) - set(order)
        moves = [e for e in events if e.text.split()[0] not in ("turn", "deal")]
        turns = []  # each move of a player, with what was drawn then
        for event in moves:
            if event.text.startswith("draw "):
                turns[-1][1].extend(self.cards(event))
            else:
                turns.append((event, []))
        from_pile = []
        for event, drawn in turns:
            count = len(self.cards(event)) - event.text.startswith("swap")
            if "exchange" not in event.text:
                from_pile.append([])
                continue
            # All that is left comes without a choice.
            own = drawn[:count] if count < len(stock) else sorted(stock)
            order += own
            stock -= set(own)
            from_pile.append(drawn[len(own) :] if count < len(stock) + len(own) else drawn)
        game = begin_deal(game, [*order, *sorted(stock)])
        for (event, _), pile in zip(turns, from_pile, strict=True):
            assert game.deal.outcome is None
            assert game.seating[game.deal.turn] == event.player
            legal = {self.words(action): action for action in legal_actions(game.deal)}
            assert event.legal == set(legal)
            game = apply(game, legal[event.text])
            if game.deal.phase == "shuffle":
                rest = [card for card in cards_of(game.deal.pile) if card not in pile]
                game = apply(game, Shuffle((*pile, *rest)))
        assert game.deal.outcome is not None
        return game

    def words(self, action: object) -> str:
        """A referee's action as the adapter writes it."""
        match action:
            case Pass():
                return "pass"
            case NameTrump(suit=suit):
                return f"name {self.pack.suits[suit]}"
            case Play(card=card):
                return f"play {self.pack.name(card)}"
            case Stand(swap=None):
                return "stand"
            case Stand(swap=swap):
                return f"swap {self.pack.name(swap)} and stand"
            case Exchange(cards=cards, swap=swap):
                names = self.pack.mask_names(sum(1 << card for card in cards))
                start = "" if swap is None else f"swap {self.pack.name(swap)} and "
                return f"{start}exchange {' '.join(names)}"
        raise AssertionError(action)


def payoffs(rules: CardRules, deals: int, retold: Retold) -> list[float]:
    """Chips won in antes; Mushka's points counted down."""
    game = retold.game
    if rules.scoring == "countdown":
        return [rules.countdown_from - points for points in game.points]
    stacks = list(game.stacks)
    if deals == 1:  # nobody puts the ante in, and the mouches are lost
        for seat, player in enumerate(game.seating):
            stacks[player] = game.deal.stacks[seat]
        stacks[game.seating[-1]] += rules.ante_chips
    start = rules.starting_chips
    return [
        float(Fraction(stack - chips, rules.ante_chips))
        for stack, chips in zip(stacks, start, strict=True)
    ]


@pytest.mark.parametrize("rules", GAMES, ids=range(len(GAMES)))
@pytest.mark.parametrize("deals", [1, 3])
def test_random_games(rules, deals) -> None:
    if deals == 1:
        rules = replace(rules, first_dealer=None, debts=True)
    game, rng = load_cards_game(rules, deals), random.Random(deals)
    for _ in range(6):
        events, returns = play(game, rng)
        retold = Retold(rules, deals, events)
        assert returns == payoffs(rules, deals, retold)
        assert len(events) <= game.max_game_length() + game.max_chance_nodes_in_history()


def test_whole_games_end_as_the_rules_say() -> None:
    rules = CardRules(**TIGHT, rounds=2, chips=(5, 9, 1), debts=False)
    game, rng = load_cards_game(rules, deals=0), random.Random(3)
    for _ in range(15):
        events, returns = play(game, rng)
        retold = Retold(rules, 0, events)
        assert retold.game.over
        assert returns == payoffs(rules, 0, retold)
        assert sum(returns) == pytest.approx(0)
