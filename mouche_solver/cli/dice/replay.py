"""``mouche dice replay``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, emit, read_text
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.dice.rules.match_referee import PlayedRound, replay_match
from mouche_solver.dice.rules.notation import DOUBT, format_claims, parse_transcript
from mouche_solver.dice.rules.referee import Reveal, Round
from mouche_solver.dice.rules.rules import DiceRules, NextStarter
from mouche_solver.errors import UsageError


def replay(
    line: Annotated[
        str | None,
        Parameter(
            help="A round's claims, such as '3x5 4x5 doubt'; - reads standard input.",
            allow_leading_hyphen=True,
        ),
    ] = None,
    /,
    *,
    cups: Annotated[str | None, Parameter(help="All cups in playing order: '5,5 / 3,1'.")] = None,
    match: Annotated[
        Path | None,
        Parameter(
            help="File with a written match; - is standard input.", allow_leading_hyphen=True
        ),
    ] = None,
    points: Annotated[
        str | None, Parameter(help="Points at the start, one number or one each.")
    ] = None,
    next_starter: Annotated[
        NextStarter | None, Parameter(help="Who starts the next round.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Check a written round or match, and say who loses what by which rule.

    A written match has one round per line, ``cups : claims``: cups in playing order from the
    round's starter and apart by ``/``, without those of eliminated players.
    """
    numbers = None if points is None else whole_numbers("--points", points)
    shared = numbers[0] if numbers is not None and len(numbers) == 1 else numbers
    rules = game.read(points=shared, next_starter=next_starter)
    if (line is None) == (match is None):
        raise UsageError("give either a round's claims or --match with a written match")
    if match is not None:
        if cups is not None:
            raise UsageError("--cups belongs to one round; a written match holds its own")
        _show_match(replay_match(rules, read_text(match)), rules, output)
    elif line is not None:
        _show_round(rules, cups, read_text(Path(line)) if line == "-" else line, output)


def _show_round(rules: DiceRules, cups: str | None, line: str, output: OutputFlags) -> None:
    reveal: Reveal | None = None
    if cups is None:  # legality can be checked without the dice, the doubt cannot be judged
        history, doubted = parse_transcript(rules, line)
    else:
        state = Round.replay(rules, cups, line)
        history, doubted, reveal = state.history, state.doubted, state.reveal
    words = [*map(str, history), *([DOUBT] if doubted else [])]
    rows = [
        {"step": step, "player": step % rules.players, "action": word}
        for step, word in enumerate(words)
    ]
    to_act = None if doubted else len(history) % rules.players
    document = {"actions": rows, "to_act": to_act, "reveal": _reveal(reveal)}
    columns = {"step": int, "player": int, "action": str}
    emit(output, rows, columns, document=document, table=_round_text(rows, to_act, reveal))


def _round_text(rows: list[dict[str, object]], to_act: int | None, reveal: Reveal | None) -> str:
    lines = [f"player {row['player']}: {row['action']}" for row in rows]
    if reveal is not None:
        lines.append(reveal.explain())
    elif to_act is None:
        lines.append("the cups are lifted; give --cups to learn who loses")
    else:
        lines.append(f"player {to_act} is to act")
    return "".join(f"{line}\n" for line in lines)


def _reveal(reveal: Reveal | None) -> dict[str, object] | None:
    if reveal is None:
        return None
    return {
        "claim": str(reveal.claim),
        "claimant": reveal.claimant,
        "doubter": reveal.doubter,
        "count": reveal.count,
        "correct": reveal.correct,
        "loser": reveal.loser,
        "why": reveal.explain(),
    }


def _show_match(played: tuple[PlayedRound, ...], rules: DiceRules, output: OutputFlags) -> None:
    if not played:
        raise UsageError("the written match holds no round")
    rows = []
    for number, each in enumerate(played, start=1):
        reveal = each.round.reveal
        row: dict[str, object] = {"round": number, "starter": each.before.starter}
        row["line"] = format_claims(each.round.history, each.round.doubted)
        row["loser"] = None if reveal is None else each.before.seats[reveal.loser]
        row |= {f"points_{seat}": have for seat, have in enumerate(each.after.points)}
        rows.append(row | {"why": each.explain()})
    last = played[-1].after
    document = {
        "rounds": rows,
        "points": last.points,
        "winner": last.winner,
        "next_starter": None if last.winner is not None else last.starter,
        "rules": rules.to_dict(),
    }
    emit(output, rows, {"line": str, "why": str}, document=document, rest=int)
