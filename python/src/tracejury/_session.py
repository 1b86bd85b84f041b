"""Starts a process `tracejury session`, which receives telemetry and judges runs."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import Any

from ._command import command
from ._errors import TracejuryError

_PROTOCOL = 1


class SessionProcess:
    """A process `tracejury session`. It answers one request at a time, by the protocol in `docs/testing.md`."""

    def __init__(self, options: list[str]) -> None:
        self._stderr = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command("session", *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            encoding="utf-8",
            # Only pytest receives Ctrl-C. It ends the session after its report.
            start_new_session=os.name != "nt",
        )
        self._last_id = 0
        ready = self._read()["ready"]
        if ready["protocol"] != _PROTOCOL:
            raise TracejuryError(
                f"the command has protocol {ready['protocol']}, this plug-in {_PROTOCOL}: install the package again"
            )
        self.endpoint: str = ready["endpoint"]
        self.environment: dict[str, str] = ready["environment"]

    def request(self, method: str, **parameters: Any) -> Any:
        """Sends a request and returns its result. Raises `TracejuryError` if the request or a file in it is invalid."""
        __tracebackhide__ = True
        self._last_id += 1
        line = json.dumps({"id": self._last_id, "method": method, **parameters})
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(f"{line}\n")
            stdin.flush()
        except OSError:
            raise self._ended() from None
        answer = self._read()
        while answer["id"] not in (self._last_id, None):
            # Skips the response to a request that was interrupted.
            answer = self._read()
        error = answer.get("error")
        if error is None:
            return answer["result"]
        raise TracejuryError("\n".join(part for part in (error["message"], error["fix"]) if part))

    def close(self) -> None:
        """Ends the process and waits for it."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.close()
        except OSError:
            pass
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        stdout.close()
        self._stderr.close()

    def _read(self) -> dict[str, Any]:
        stdout = self._process.stdout
        assert stdout is not None
        line = stdout.readline()
        if line == "":
            raise self._ended()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _ended(self) -> TracejuryError:
        code = self._process.wait()
        self._stderr.seek(0)
        said = self._stderr.read().decode("utf-8", "replace").strip()
        return TracejuryError(f"the process `tracejury session` ended with exit code {code}\n{said}".strip())
