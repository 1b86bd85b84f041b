"""What goes wrong, by whose hand it is."""


class TracejuryError(Exception):
    """What whoever wrote the tests has to change: a spec with errors, an agent that cannot be called."""


class NoRunError(AssertionError):
    """The agent was called, and its telemetry shows no run."""


class NotRecordedError(AssertionError):
    """The agent asked its model something else than was recorded: what it did then decides nothing."""


class TracejuryWarning(UserWarning):
    """A run passed with warnings: path or cost are not as the spec asks."""
