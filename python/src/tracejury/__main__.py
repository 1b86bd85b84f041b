"""`tracejury` and `python -m tracejury`: the command."""

from __future__ import annotations

import os
import sys

from ._command import command


def main() -> None:
    """Becomes the command, with the arguments of this process."""
    words = command(*sys.argv[1:])
    if os.name != "nt":
        # The same process: signals, exit code and terminal are the command's own.
        os.execv(words[0], words)
    import subprocess

    process = subprocess.Popen(words)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            # Ctrl-C reaches the command, too, which decides how it ends.
            continue


if __name__ == "__main__":
    main()
