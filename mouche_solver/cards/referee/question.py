"""The question "do you have the mouche?" and its truth."""

from typing import get_args

from mouche_solver.cards.referee.actions import Answer, Ask, Says
from mouche_solver.cards.referee.deal import Deal, replace
from mouche_solver.cards.referee.declare import holds_mouche
from mouche_solver.errors import IllegalMoveError


def legal_questions(deal: Deal) -> list[Ask]:
    """Every question that may be asked now: once to each player who stood, by anyone else."""
    if deal.rules.question == "off" or deal.question is not None:
        return []
    stood = [s for s, said in enumerate(deal.declared) if said == "stand" and s not in deal.asked]
    return [Ask(seat, of) for of in stood for seat in range(deal.seats) if seat != of]


def legal_answers(deal: Deal) -> list[Answer]:
    """The answers open to the player who was asked."""
    if deal.question is None:
        return []
    holds = holds_mouche(deal, deal.question)
    answers = [Answer(deal.question, "yes" if holds else "no")]
    if holds or deal.rules.question == "on":
        answers.append(Answer(deal.question, "dodge"))
    return answers


def ask(deal: Deal, action: Ask) -> Deal:
    """Ask a player who stood."""
    if deal.rules.question == "off":
        raise IllegalMoveError("these rules have no question about the mouche")
    if deal.phase != "declare" or deal.question is not None:
        raise IllegalMoveError("a question is asked between two declarations, one at a time")
    if not 0 <= action.of < deal.seats or deal.declared[action.of] != "stand":
        raise IllegalMoveError("only a player who stood may be asked")
    if action.of in deal.asked:
        raise IllegalMoveError("a player who stood is asked only once")
    if action.seat == action.of or not 0 <= action.seat < deal.seats:
        raise IllegalMoveError("the question comes from another player at the table")
    return replace(deal, question=action.of, asked=deal.asked | {action.of})


def answer(deal: Deal, action: Answer) -> Deal:
    """Answer; a clear answer must be true."""
    if deal.question is None:
        raise IllegalMoveError("nobody has asked for the mouche")
    if action.seat != deal.question:
        raise IllegalMoveError(f"the question was put to seat {deal.question}")
    if action.says not in get_args(Says):
        raise IllegalMoveError(f"answer {action.says!r}: allowed are yes, no and dodge")
    holds = holds_mouche(deal, action.seat)
    if action.says == "dodge" and deal.rules.question == "silence-is-yes" and not holds:
        raise IllegalMoveError("silence counts as yes, which would not be true")
    if (action.says == "yes" and not holds) or (action.says == "no" and holds):
        raise IllegalMoveError(
            f"a clear answer must be true, and the player {'has' if holds else 'does not have'} "
            "the mouche"
        )
    return replace(deal, question=None)
