"""One exception family; every message says what was wrong and what is allowed."""


class MoucheError(Exception):
    """Base of every error that a user can cause; its text is one line."""


class RulesError(MoucheError, ValueError):
    """Rules that contradict themselves or lie outside what a game allows."""


class UsageError(MoucheError):
    """Options that cannot be understood or do not go together."""


class NotationError(MoucheError, ValueError):
    """A claim, hand, card or transcript that cannot be read."""


class IllegalMoveError(MoucheError, ValueError):
    """A move that the rules forbid; the message names the move and the legal ones."""


class TooLargeError(MoucheError):
    """A request that does not fit; the message holds the estimate and a smaller alternative."""


class StorageError(MoucheError):
    """A file that is missing, damaged, truncated, foreign or made for other rules."""


class ClusterError(MoucheError):
    """A cluster that cannot be reached, has no room, or loses holders again and again."""
