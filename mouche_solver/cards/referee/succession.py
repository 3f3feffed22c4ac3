"""Who deals next, and how a game ends."""

from dataclasses import replace

from mouche_solver.cards.referee.deal import with_entry
from mouche_solver.cards.referee.game_state import Game, next_seating


def following(game: Game) -> int:
    """The next player in the game after the dealer."""
    return min(game.alive, key=lambda p: (p - game.dealer - 1) % game.rules.players)


def find_dealer(game: Game) -> Game:
    """End the game, or see that the dealer can pay the ante; one who cannot is out."""
    rules = game.rules
    while True:
        dealt_out = rules.scoring == "chips" and all(
            game.deals[p] >= rules.rounds for p in game.alive
        )
        if dealt_out or len(game.alive) < 2:
            return end_game(game)
        stack = game.stacks[game.dealer]
        if rules.debts or rules.scoring == "countdown" or stack >= rules.ante_chips:
            return game
        game = replace(
            game,
            stacks=with_entry(game.stacks, game.dealer, 0),
            pot=game.pot + stack,
            alive=tuple(p for p in game.alive if p != game.dealer),
        )
        game = replace(game, dealer=following(game))


def end_game(game: Game) -> Game:
    """Split what is left equally, odd chips from the last dealer's right."""
    order = game.seating or next_seating(game)
    sharers = [p for p in order if p in game.alive] or list(order)
    share, odd = divmod(game.pot + sum(game.waiting), len(sharers))
    stacks = list(game.stacks)
    for place, player in enumerate(sharers):
        stacks[player] += share + (place < odd)
    return replace(game, stacks=tuple(stacks), pot=0, waiting=(), over=True)
