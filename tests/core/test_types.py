"""What mypy refuses in kernels: numbers of different things are all integers to the compiler."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

KERNEL = """
from mouche_solver.cards.kernels.bits import Hand, HandClass, Int, Seat
from mouche_solver.cards.kernels.deal import given_card
from mouche_solver.cards.kernels.lookup import cell_of, hand_class
from mouche_solver.cards.kernels.records import Game, Policy, Table


def kernel(seat: Seat, hand: Hand, game: Game, policy: Policy, table: Table) -> Int:
    number = hand_class(hand, 0, policy)
    cell_of(0, number, 0, policy)
    given_card(table.hands[seat], 1, 0, game, policy)
    hand_class(seat, 0, policy)  # refused
    given_card(seat, 1, 0, game, policy)  # refused
    cell_of(0, hand, 0, policy)  # refused
    for other in range(3):
        hand_class(other, 0, policy)  # refused
"""


def test_a_seat_is_no_hand_and_a_hand_no_class(tmp_path: Path) -> None:
    source = tmp_path / "kernel_here.py"
    source.write_text(KERNEL)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(source)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    refused = [n for n, line in enumerate(KERNEL.splitlines(), 1) if "# refused" in line]
    assert [int(line.split(":")[1]) for line in said.splitlines()] == refused, said
