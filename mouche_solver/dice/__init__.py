"""Dice Mouche: rules, referee, odds and the exact two-player round."""

from mouche_solver.lazy import attach

_HOME = {
    "DiceRules": "rules",
    "Claim": "rules",
    "all_claims": "claims",
    "can_raise": "claims",
    "legal_claims": "claims",
    "claim_probability": "odds",
    "claim_table": "odds",
    "count_table": "odds",
    "parse_history": "notation",
    "parse_hand": "notation",
    "Round": "referee",
    "roll": "referee",
    "Match": "match_referee",
    "play_match": "match_referee",
    "replay_match": "match_referee",
    "DiceRound": "extensive",
    "solve_lp": "extensive",
    "loser_pays": "payoffs",
    "TableSolver": "table_solve",
    "solve_table": "table_solve",
    "TableSolution": "table_solution",
    "MatchValues": "match",
    "match_values": "match",
    "View": "sample_view",
    "SampleLimits": "sample_batches",
    "train_sampled": "sample_train",
    "SampledStrategy": "sample_strategy",
    "play_tournament": "tournament",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
