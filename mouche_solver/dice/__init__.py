"""Dice Mouche: rules, referee, odds and the exact two-player round."""

from mouche_solver.lazy import attach

_HOME = {
    "DiceRules": "rules.rules",
    "Claim": "rules.rules",
    "all_claims": "rules.claims",
    "can_raise": "rules.claims",
    "legal_claims": "rules.claims",
    "claim_probability": "odds",
    "claim_table": "odds",
    "count_table": "odds",
    "parse_history": "rules.notation",
    "parse_hand": "rules.notation",
    "Round": "rules.referee",
    "roll": "rules.referee",
    "Match": "rules.match_referee",
    "play_match": "rules.match_referee",
    "replay_match": "rules.match_referee",
    "DiceRound": "exact",
    "solve_lp": "exact",
    "loser_pays": "sweep.payoffs",
    "TableSolver": "table.solve",
    "solve_table": "table.solve",
    "TableSolution": "table.solution",
    "MatchValues": "table.match",
    "match_values": "table.match",
    "View": "sample.view",
    "SampleLimits": "sample.train",
    "train_sampled": "sample.train",
    "SampledStrategy": "sample.strategy",
    "play_tournament": "sample.tournament",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
