"""Entry point of the command `tracejury` and of `python -m tracejury`."""

from __future__ import annotations

import os
import sys

from ._command import command


def main() -> None:
    """Runs the command with the arguments of this process."""
    words = command(*sys.argv[1:])
    if os.name != "nt":
        # Replaces this process, so that the command itself gets signals and sets the exit code.
        os.execv(words[0], words)
    import subprocess

    process = subprocess.Popen(words)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            # The command also receives Ctrl-C, and decides how to end.
            continue


if __name__ == "__main__":
    main()
