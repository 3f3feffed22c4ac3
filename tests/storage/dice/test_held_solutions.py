"""A solution whose probabilities lie with holders becomes the same file."""

from dataclasses import replace
from pathlib import Path

from mouche_solver.core.run import Limits, run
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.shard import Shard
from mouche_solver.dice.round.solve import RoundSolver, pack
from mouche_solver.dice.sweep.holders import shares
from mouche_solver.storage import load_solution, save_solution


def test_a_solution_is_written_slice_by_slice(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("mouche_solver.storage.tensors.BLOCK", 1 << 12)
    monkeypatch.setattr("mouche_solver.storage.tensors_read.BLOCK", 1 << 12)
    files = []
    for many in (0, 3):
        hold = None
        if many:

            def hold(plan, many=many):
                return [Shard(plan, share, 1) for share in shares(plan.layout, many)]

        solver = RoundSolver(DiceRules(dice=(2, 2)), threads=1, hold=hold)
        outcome = run(solver, Limits(iterations=3))
        files.append(tmp_path / str(many))
        save_solution(pack(solver, replace(outcome, seconds=0.0)), files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()
    assert load_solution(files[1]).header.iterations == 3
