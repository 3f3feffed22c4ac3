"""From a finished sweep to a solution: 16-bit probabilities, measured again after rounding."""

import numpy as np

from mouche_solver.core.run import Outcome
from mouche_solver.dice.round.kernels_pack import pack_region
from mouche_solver.dice.round.solution import Header, RoundSolution
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.sweep import Sweep


def pack(sweep: Sweep, rules: DiceRules, algorithm: str, outcome: Outcome) -> RoundSolution:
    """Round the average strategies to 16 bits and measure what that costs."""
    packed = np.zeros(sweep.layout.entries, dtype=np.uint16)
    for part, where in sweep.passes.parts():
        pack_region(
            sweep.passes.game, part, sweep.average[where], sweep.source[where], packed[where]
        )
    header = Header(
        rules, algorithm, outcome.iterations, outcome.quality, outcome.quality, sweep.locked
    )
    return RoundSolution(header, packed, threads=sweep.passes.threads).remeasured()
