"""Queries of a spec as tests: what a user sees, with pytest in a process of its own."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

Options = list[str]


def run(project: pytest.Pytester, *words: str) -> pytest.RunResult:
    return project.runpytest_subprocess("-p", "no:cacheprovider", *words)


def test_each_query_is_a_test_and_those_without_a_text_are_skipped(
    project: pytest.Pytester, options: Options
) -> None:
    result = run(project, "-v", *options)
    result.assert_outcomes(passed=2, skipped=1)
    result.stdout.fnmatch_lines(["spec.yaml::order PASSED*", "spec.yaml::lost PASSED*", "spec.yaml::rest SKIPPED*"])


def test_a_failure_is_the_report_and_its_reason_is_in_the_summary(
    project: pytest.Pytester, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLS", "refund")
    result = run(project, "--junitxml=junit.xml", *options)
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            " FAIL  spec · Where is my order[?]",
            "*FORBIDDEN TOOL: refund was called and is forbidden",
            "*spec.yaml:6",
            "FAILED spec.yaml::order - refund was called and is forbidden",
        ]
    )
    result.stdout.no_fnmatch_line("*exit 1*")
    result.stdout.no_fnmatch_line("*Traceback*")
    junit = ElementTree.parse(project.path / "junit.xml")
    failure = junit.find(".//testcase[@name='order']/failure")
    assert failure is not None and failure.get("message") == "refund was called and is forbidden"


def test_a_warning_passes_and_is_a_warning(
    project: pytest.Pytester, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLS", "find_order,find_order")
    result = run(project, *options)
    result.assert_outcomes(passed=2, skipped=1, warnings=1)
    result.stdout.fnmatch_lines(["*spec.yaml:3: TracejuryWarning: 2 tool calls, at most 1 allowed*"])
    strict = run(project, "-W", "error::tracejury.TracejuryWarning", *options)
    strict.assert_outcomes(passed=1, failed=1, skipped=1)
    strict.stdout.fnmatch_lines(["*max_tool_calls*2 tool calls*", "FAILED spec.yaml::order - 2 tool calls, *"])
    strict.stdout.no_fnmatch_line("*_spec_file.py*")


def test_what_cannot_be_told_fails(project: pytest.Pytester, options: Options) -> None:
    project.makepyfile(silent="import agent\ndef ask(query): agent.record(query, 'x', content=False)")
    result = run(project, *options, "--tracejury-agent", "silent:ask", "-k", "order and silent")
    result.assert_outcomes(failed=1, deselected=5)
    result.stdout.fnmatch_lines(["*INCOMPLETE*", "FAILED spec.yaml::order[[]silent:ask[]] - *answer was not captured*"])


def test_the_text_that_the_agent_returns_is_the_answer_where_the_telemetry_has_none(
    project: pytest.Pytester, options: Options
) -> None:
    project.makepyfile(
        silent="import agent\nasync def ask(query):\n  agent.record(query, 'x', content=False)\n  return 'In Lyon.'"
    )
    options[3] = "silent:ask"
    run(project, *options).assert_outcomes(passed=2, skipped=1)


def test_a_run_that_fails_as_expected_is_an_xfail(project: pytest.Pytester, options: Options) -> None:
    project.makefile(
        ".yaml",
        spec="agent: shop\nqueries:\n  - id: order\n    query: Where?\n    expected_fail: true\n"
        "    correctness: { expected_in_answer: [Paris] }\n",
    )
    run(project, *options).assert_outcomes(xfailed=1)


def test_agents_and_runs_are_in_the_names(project: pytest.Pytester, options: Options) -> None:
    project.makepyfile(other="from agent import ask")
    result = run(project, "-v", *options, "--tracejury-agent", "other:ask", "--tracejury-runs", "2", "-k", "order")
    result.assert_outcomes(passed=4, deselected=8)
    names = [f"spec.yaml::order[[]{agent}:ask-{number}[]] PASSED*" for agent in ("agent", "other") for number in (1, 2)]
    result.stdout.fnmatch_lines(names)


def test_specs_may_be_a_pattern(project: pytest.Pytester, options: Options) -> None:
    options[1] = "sp*.yaml"
    run(project, *options).assert_outcomes(passed=2, skipped=1)
    options[1] = "no*.yaml"
    result = run(project, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --tracejury-spec: there is no file no[*].yaml"])


@pytest.mark.parametrize("words", [[], ["."], ["test_other.py"], ["test_other.py", "specs"]])
def test_a_spec_is_collected_once_whatever_else_is(
    project: pytest.Pytester, options: Options, words: list[str]
) -> None:
    project.mkdir("specs")
    (project.path / "spec.yaml").rename(project.path / "specs" / "spec.yaml")
    project.makepyfile(test_other="def test_other(): pass")
    options[1] = "specs/spec.yaml"
    run(project, *words, *options).assert_outcomes(passed=3, skipped=1)


def test_a_spec_that_pytest_would_leave_out_is_an_error(project: pytest.Pytester, options: Options) -> None:
    project.mkdir("build")
    (project.path / "spec.yaml").rename(project.path / "build" / "spec.yaml")
    options[1] = "build/spec.yaml"
    result = run(project, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*pytest ignores the folder of build/spec.yaml*"])


@pytest.mark.parametrize("words", [["spec.yaml::order"], ["-k", "order"], ["-n", "2", "-k", "order"]])
def test_one_is_chosen_as_usual(project: pytest.Pytester, options: Options, words: list[str]) -> None:
    result = run(project, *options, *words)
    assert result.parseoutcomes()["passed"] == 1 and result.ret == 0


def test_workers_of_xdist_judge_side_by_side(
    project: pytest.Pytester, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLS", "refund")
    result = run(project, "-n", "2", *options)
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["FAILED spec.yaml::order - refund was called and is forbidden"])


def test_only_what_failed_last_and_stopping_at_the_first(
    project: pytest.Pytester, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLS", "refund")
    project.runpytest_subprocess("-x", *options).assert_outcomes(failed=1)
    project.runpytest_subprocess("--lf", *options).assert_outcomes(failed=1)


def test_options_in_addopts_leave_a_named_file_alone(project: pytest.Pytester, options: Options) -> None:
    project.makeini(f"[pytest]\naddopts = {' '.join(options)}")
    project.makepyfile(test_other="def test_other(): pass")
    run(project, "test_other.py").assert_outcomes(passed=1)
    run(project).assert_outcomes(passed=3, skipped=1)


def test_an_agent_that_raises_fails_with_its_traceback(project: pytest.Pytester, options: Options) -> None:
    project.makepyfile(agent="def ask(query): raise ValueError('no model today')")
    result = run(project, *options)
    result.assert_outcomes(failed=2, skipped=1)
    result.stdout.fnmatch_lines(["*agent.py:1: ValueError", "FAILED spec.yaml::order - ValueError: no model today"])
    result.stdout.no_fnmatch_line("*_tracejury.py*")


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("agent:nope", "*agent has no nope*"),
        ("agent:json", "*it cannot be called*"),
        ("nowhere:ask", "agent nowhere:ask not found: there is no module nowhere"),
        ("needy:ask", "needy.py:1: ModuleNotFoundError"),
    ],
)
def test_an_agent_that_is_none_says_so(
    project: pytest.Pytester, options: Options, agent: str, message: str
) -> None:
    project.makepyfile(needy="import nowhere")
    options[3] = agent
    result = run(project, *options)
    result.assert_outcomes(failed=2, skipped=1)
    result.stdout.fnmatch_lines([message])
    result.stdout.no_fnmatch_line("*importlib*")


def test_an_agent_written_in_another_form_is_a_usage_error(project: pytest.Pytester, options: Options) -> None:
    options[3] = "agent.ask"
    result = run(project, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*agent.ask is not an agent: write module:function*"])


def test_a_spec_with_errors_says_where(project: pytest.Pytester, options: Options) -> None:
    project.makefile(".yaml", spec="agent: shop\nqueries:\n  - qurey: Where?\n")
    result = run(project, *options)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["spec.yaml:3:5*", "*a query has no key `qurey`"])


def test_half_of_the_options_is_a_usage_error(project: pytest.Pytester) -> None:
    assert run(project, "--tracejury-spec", "spec.yaml").ret == pytest.ExitCode.USAGE_ERROR
    assert run(project, "--tracejury-agent", "agent:ask").ret == pytest.ExitCode.USAGE_ERROR
