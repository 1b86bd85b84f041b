"""One `tracejury session` process, which receives telemetry and evaluates runs."""

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
    """Answers requests, one at a time; see `docs/testing.md`."""

    def __init__(self, options: list[str]) -> None:
        self._stderr = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command("session", *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            encoding="utf-8",
            # Ctrl-C is for pytest, which ends the session when it has reported.
            start_new_session=os.name != "nt",
        )
        self._last_id = 0
        ready = self._read()["ready"]
        if ready["protocol"] != _PROTOCOL:
            raise TracejuryError(f"the command speaks protocol {ready['protocol']}, this plug-in {_PROTOCOL}")
        self.endpoint: str = ready["endpoint"]
        self.environment: dict[str, str] = ready["environment"]

    def request(self, method: str, **parameters: Any) -> Any:
        """The result of a request. Raises `TracejuryError` for what is wrong with it."""
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
            # Of a request that was interrupted.
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
        return TracejuryError(f"tracejury session ended with {code}\n{said}".strip())
