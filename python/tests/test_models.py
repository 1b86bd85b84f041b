"""Recorded answers for the model calls of an agent that is called in a test's process."""

from __future__ import annotations

import json

import pytest

AGENT = '''
import json
import os
import urllib.request

from agent import record

SYSTEM = os.environ.get("SYSTEM", "You help customers.")


def ask(query):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": query}]
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps({"model": "gpt-4o-mini", "messages": messages}).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)["choices"][0]["message"]["content"]
    record(query, answer)
    return answer
'''


def attribute(key: str, value: str) -> dict[str, object]:
    return {"key": key, "value": {"stringValue": value}}


def messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def recording(query: str, answer: str) -> str:
    span = {
        "traceId": "1" * 32,
        "spanId": "2" * 16,
        "name": "chat gpt-4o-mini",
        "kind": 3,
        "startTimeUnixNano": "1700000000000000000",
        "endTimeUnixNano": "1700000001000000000",
        "attributes": [
            attribute("gen_ai.operation.name", "chat"),
            attribute("gen_ai.request.model", "gpt-4o-mini"),
            attribute("gen_ai.system_instructions", json.dumps([{"type": "text", "content": "You help customers."}])),
            attribute("gen_ai.input.messages", messages("user", query)),
            attribute("gen_ai.output.messages", messages("assistant", answer)),
        ],
    }
    resource = {"attributes": [attribute("service.name", "shop")]}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": [span]}]}]}) + "\n"


@pytest.fixture
def recorded(project: pytest.Pytester) -> pytest.Pytester:
    """The project with an agent that asks a model, and a dump of one of its runs."""
    project.makepyfile(asking=AGENT)
    (project.path / "order.jsonl").write_text(recording("Where is my order?", "In Lyon."))
    return project


WORDS = ["--tracejury-spec=spec.yaml", "--tracejury-agent=asking:ask", "--tracejury-models=replay:order.jsonl", "-k", "order"]


def test_a_query_is_answered_as_recorded(recorded: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    recorded.runpytest_subprocess("-p", "no:cacheprovider", *WORDS).assert_outcomes(passed=1)


def test_another_prompt_fails_and_is_named(recorded: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEM", "You help clients.")
    result = recorded.runpytest_subprocess("-p", "no:cacheprovider", *WORDS)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*differs from the recording: call 1: system prompt: *clients*"])


def test_a_dump_without_a_run_is_named(recorded: pytest.Pytester) -> None:
    (recorded.path / "order.jsonl").write_text("")
    result = recorded.runpytest_subprocess("-p", "no:cacheprovider", *WORDS)
    result.stdout.fnmatch_lines(["*order.jsonl: no recorded run can be played back*"])


def test_a_fault_before_the_recorded_answer_fails_the_query(recorded: pytest.Pytester) -> None:
    result = recorded.runpytest_subprocess("-p", "no:cacheprovider", *WORDS, "--tracejury-fault=rate-limit@1")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*HTTP Error 429*"])


def test_a_fault_needs_models(recorded: pytest.Pytester) -> None:
    words = [word for word in WORDS if not word.startswith("--tracejury-models")]
    result = recorded.runpytest_subprocess("-p", "no:cacheprovider", *words, "--tracejury-fault=rate-limit@1")
    result.stdout.fnmatch_lines(["*a fault needs a model server between the agent and its model*"])


def test_each_process_records_into_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from tracejury._options import _of_worker

    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    assert _of_worker("record:a/traces.jsonl") == "record:a/traces.jsonl"
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw1")
    assert _of_worker("record:a/traces.jsonl") == "record:a/traces.gw1.jsonl"
    assert _of_worker("replay:a/traces.jsonl") == "replay:a/traces.jsonl"
