"""Errors and warnings of this package."""


class TracejuryError(Exception):
    """A problem that the author of the tests can fix, such as an invalid spec or an agent that cannot be called."""


class NoRunError(AssertionError):
    """The agent was called, but its telemetry contains no run."""


class NotRecordedError(AssertionError):
    """The agent sent its model a request that differs from the recording, so the run cannot be judged."""


class TracejuryWarning(UserWarning):
    """A run passed with warnings: it violates checks whose severity is `warn`, by default those of path and cost."""
