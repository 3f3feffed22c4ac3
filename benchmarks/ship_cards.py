"""Trained card strategies against the shipped ones, and shipping them: one decision per file.

``python benchmarks/ship_cards.py FOLDER`` takes the files of ``FOLDER/ship`` (those that
``benchmarks/train_cards.sh FOLDER`` trimmed) and prints for each, beside the file that is shipped
for the same rules: its size, what one player of each gains at a table of the other, what every
challenger gains against both, and the worst case of each sense check of both. Gains are thousandths
of the pot a deal (points in Mushka) with 95% intervals. The numbers are kept in
``FOLDER/measured.json``; a file that has not changed is not measured again.

``--ship 3 mushka4`` (or ``--ship all``) then writes these files into the package's data under the
names that their rules have, with the gain of the best challenger inside, and the manifest anew.
Nothing is written when all shipped data would take more than 25 MB and more than they take now.
"""

import argparse
import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mouche_solver.cards.measure.challengers import Responses, best_known, challenge
from mouche_solver.cards.measure.sense import sense_checks
from mouche_solver.cards.measure.thinking import can_be_measured
from mouche_solver.cards.measure.tournament import play_duplicate
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.storage.atomic import atomic_path
from mouche_solver.storage.cards.strategies import load_strategy, save_strategy
from mouche_solver.storage.shipped import MANIFEST

DATA = Path(__file__).resolve().parents[1] / "mouche_solver" / "data"
MOST_BYTES = 25_000_000
SENSE_SEED = 1


@dataclass(frozen=True)
class Work:
    """How much is measured."""

    deals: int = 400_000
    response_deals: int = 2_000_000
    table_deals: int = 4_000_000
    play_deals: int = 2_000
    think_deals: int = 240
    time_limit: float = 240.0
    seed: int = 1
    threads: int = os.cpu_count() or 1


def shipped_name(strategy: CardStrategy) -> str:
    """The name under which the package looks for a strategy for these rules."""
    return f"cards-{strategy.rules.deal_hash}.npz"


def duel(one: CardStrategy, table: CardStrategy, work: Work) -> list[float] | None:
    """Gain and margin of one player at a table of the other; None for other declarations."""
    if one.abstraction.actions != table.abstraction.actions:
        return None
    gain = play_duplicate(
        table.game,
        one.policy,
        table.policy,
        table.training.seat_shares,
        work.deals,
        work.seed,
        work.threads,
    )
    return [gain.mean, gain.margin]


def challengers(strategy: CardStrategy, work: Work) -> dict[str, Any]:
    """What every challenger gains, and who surely gains most."""
    asked = Responses(
        declarations=work.response_deals,
        play=work.play_deals,
        seconds=work.time_limit,
        table=work.table_deals,
    )
    found = challenge(
        strategy,
        deals=work.deals,
        seed=work.seed,
        threads=work.threads,
        responses=asked,
        thinking=work.think_deals if can_be_measured(strategy.rules) else 0,
    )
    best = best_known(found)
    return {
        "gains": {one.challenger: [one.gain.mean, one.gain.margin] for one in found},
        "best": [best.gain.mean, best.gain.margin, best.challenger],
    }


def senses(strategy: CardStrategy) -> dict[str, Any]:
    """Worst case, share beyond the limit and its hand, by sense check; empty under Mushka."""
    if strategy.rules.scoring == "countdown":
        return {}
    pack = strategy.rules.pack
    return {
        one.check: [one.worst, one.limit, one.beyond, " ".join(pack.names(one.hand))]
        for one in sense_checks(strategy, seed=SENSE_SEED)
    }


def measure(path: Path, data: Path, work: Work) -> dict[str, Any]:
    """Everything that a decision about one file needs."""
    new = load_strategy(path)
    place = data / shipped_name(new)
    old = load_strategy(place) if place.exists() else None
    found = {
        "players": new.rules.players,
        "points": new.rules.scoring == "countdown",
        "deals": new.training.declared + new.training.played,
        "new": {**challengers(new, work), "sense": senses(new)},
        "old": None,
        "duel": None,
    }
    if old is not None:
        found["old"] = {**challengers(old, work), "sense": senses(old)}
        both = duel(new, old, work), duel(old, new, work)
        found["duel"] = None if None in both else both
    return found


def report(name: str, size: int, place: Path, found: dict[str, Any]) -> str:
    """What was measured of one file, in lines."""
    scale, unit = (1, "points") if found["points"] else (1000, "mP")

    def gain(pair: list[Any] | None) -> str:
        if pair is None:
            return "-"
        return f"{scale * pair[0]:+.3g} +- {scale * pair[1]:.2g} {unit}"

    old = found["old"]
    shipped = f"{place.stat().st_size / 1e6:.2f} MB" if place.exists() else "none for these rules"
    lines = [
        f"{name}: {size / 1e6:.2f} MB, {found['deals']:,} deals; shipped: {shipped} ({place.name})"
    ]
    if found["duel"] is not None:
        one, two = found["duel"]
        lines.append(f"  the new one at the shipped one's table  {gain(one)}")
        lines.append(f"  the shipped one at the new one's table  {gain(two)}")
    elif old is not None:
        lines.append("  no duel: the two know other declarations")
    lines.append(f"  {'gains of challengers against':46} {'the new one':>22} {'the shipped':>22}")
    for who, pair in found["new"]["gains"].items():
        there = None if old is None else old["gains"].get(who)
        lines.append(f"    {who:44} {gain(pair):>22} {gain(there):>22}")
    if found["new"]["sense"]:
        lines.append(f"  {'worst cases of the sense checks (share beyond)':46}")
    for check, (worst, limit, beyond, hand) in found["new"]["sense"].items():
        there = "-"
        if old is not None and check in old["sense"]:
            there = f"{old['sense'][check][0]:.3g} ({old['sense'][check][2]:.1%})"
        here = f"{worst:.3g} ({beyond:.1%})"
        lines.append(f"    {f'{check}, limit {limit:g}':44} {here:>22} {there:>22}  {hand}")
    return "\n".join(lines)


def measured_all(paths: list[Path], kept_at: Path, data: Path, work: Work) -> dict[str, Any]:
    """Measure what has not been measured with the same work, printing each file's report."""
    kept = json.loads(kept_at.read_text()) if kept_at.exists() else {}
    for path in paths:
        # Threads do not change results.
        key = {
            "file": hashlib.sha256(path.read_bytes()).hexdigest(),
            "work": {k: v for k, v in asdict(work).items() if k != "threads"},
        }
        place = data / shipped_name(load_strategy(path))
        if place.exists():
            key["shipped"] = hashlib.sha256(place.read_bytes()).hexdigest()
        if kept.get(path.stem, {}).get("key") != key:
            kept[path.stem] = {"key": key, "found": measure(path, data, work)}
            with atomic_path(kept_at) as part:
                part.write_text(json.dumps(kept, indent=1))
        print(report(path.stem, path.stat().st_size, place, kept[path.stem]["found"]), flush=True)
    return {name: entry["found"] for name, entry in kept.items()}


def ship(paths: list[Path], found: dict[str, Any], data: Path) -> int:
    """Write files into the data and the manifest anew; returns the bytes of all shipped data.

    Raises
    ------
    SystemExit
        When all shipped data would take too much room; nothing was written then.
    """
    ready: dict[str, bytes] = {}
    for path in paths:
        strategy = load_strategy(path)
        strategy = strategy.with_known(*found[path.stem]["new"]["best"])
        written = path.with_suffix(".known")
        save_strategy(strategy, written, short=True)
        ready[shipped_name(strategy)] = written.read_bytes()
        written.unlink()
    stay = {p.name: p.stat().st_size for p in data.iterdir() if p.name != MANIFEST}
    total = sum((stay | {name: len(content) for name, content in ready.items()}).values())
    if total > max(MOST_BYTES, sum(stay.values())):
        raise SystemExit(
            f"all shipped data would take {total:,} bytes, at most {MOST_BYTES:,} are allowed: "
            "trim with more --visits, or ship fewer; nothing was written"
        )
    for name, content in ready.items():
        with atomic_path(data / name) as part:
            part.write_bytes(content)
    write_manifest(data)
    return total


def write_manifest(data: Path) -> None:
    """The SHA-256 of every file in the data."""
    names = sorted(p.name for p in data.iterdir() if p.is_file() and p.name != MANIFEST)
    hashes = {name: hashlib.sha256((data / name).read_bytes()).hexdigest() for name in names}
    with atomic_path(data / MANIFEST) as part:
        part.write_text(json.dumps(hashes, indent=2) + "\n")


def main(words: list[str] | None = None) -> None:
    usual = Work()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", help="names of files, such as 3 mushka4")
    parser.add_argument("--ship", nargs="*", default=[], help="names of files, or all")
    parser.add_argument("--data", type=Path, default=DATA)
    for name, value in asdict(usual).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    args = parser.parse_args(words)
    files = {path.stem: path for path in sorted((args.folder / "ship").glob("*.npz"))}
    asked = list(files) if args.ship == ["all"] else args.ship
    only = args.only or asked or list(files)
    missing = sorted({*only, *asked} - {*files})
    if missing or not files:
        have = ", ".join(files) or "nothing"
        raise SystemExit(f"{args.folder}/ship has {have}, not {', '.join(missing) or 'a file'}")
    work = Work(**{name: getattr(args, name) for name in asdict(usual)})
    paths = [files[name] for name in only]
    found = measured_all(paths, args.folder / "measured.json", args.data, work)
    names = {shipped_name(load_strategy(p)): p.stat().st_size for p in paths}
    stay = {p.name: p.stat().st_size for p in args.data.iterdir() if p.name != MANIFEST}
    print(
        f"all shipped data: now {sum(stay.values()):,} bytes, with these files "
        f"{sum((stay | names).values()):,}, at most {MOST_BYTES:,}"
    )
    if asked:
        total = ship([files[name] for name in asked], found, args.data)
        print(f"shipped {', '.join(asked)}: {args.data} has {total:,} bytes")


if __name__ == "__main__":
    main()
