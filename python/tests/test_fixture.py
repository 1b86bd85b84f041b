"""The fixture `tracejury` and the assertions, in tests written by hand."""

from __future__ import annotations

import pytest


def run_test(project: pytest.Pytester, source: str, *words: str) -> pytest.RunResult:
    project.makepyfile(test_it=source)
    return project.runpytest_subprocess("-p", "no:cacheprovider", *words)


def test_a_run_tells_what_the_agent_did(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        from tracejury import *
        from agent import ask

        def test_it(tracejury):
            run = tracejury.run(ask, "Where is my order?")
            assert run.query == "Where is my order?" and run.answer == "In Lyon." and run.returned is None
            assert run.tools == ["find_order"] and run.total_tokens == 110 and run.cost_usd > 0 and run.error is None
            assert run.data["agent"] == "shop" and run.data["service"] == "agent"
            assert_uses_tools(run, ["find_order"])
            assert_uses_exactly_tools(run, ["find_order"])
            assert_hands_off_to(run, [])
            assert_answers_with(run, "lyon")
            assert_costs_less_than(run, 1)
            assert_uses_fewer_tokens_than(run, 200)
            assert_matches_spec(run, "order", "spec.yaml")
        """,
    ).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("assertion", "message"),
    [
        ('assert_uses_tools(run, ["pay"])', "the run did not use pay; it used find_order"),
        ('assert_answers_with(run, "Paris")', "*Paris*"),
        ("assert_uses_fewer_tokens_than(run, 10)", "*110 tokens*"),
        ('assert_matches_spec(run, "order", "strict.yaml")', "*FORBIDDEN TOOL: find_order*"),
    ],
)
def test_an_assertion_that_fails_says_what_was(project: pytest.Pytester, assertion: str, message: str) -> None:
    project.makefile(
        ".yaml", strict="agent: shop\nqueries:\n  - id: order\n    query: Where?\n    path: { forbidden_tools: [find_order] }\n"
    )
    result = run_test(
        project,
        f"""
        from tracejury import *
        from agent import ask

        def test_it(tracejury):
            run = tracejury.run(ask, "Where is my order?")
            {assertion}
        """,
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *{message}"])
    result.stdout.no_fnmatch_line("*_assertions.py*")


def test_asynchronous_tests_and_agents(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        import asyncio
        import pytest
        import agent

        loops = set()

        async def ask(query):
            loops.add(asyncio.get_running_loop())
            agent.ask(query)
            return "In Lyon."

        def test_one_loop_for_all_calls(tracejury):
            assert tracejury.run(ask, "a").answer and tracejury.run(ask, "b").query == "b"
            assert len(loops) == 1

        @pytest.mark.asyncio
        async def test_it(tracejury):
            run = await tracejury.run_async(ask, "Where?")
            assert run.query == "Where?" and run.returned == "In Lyon."
        """,
    ).assert_outcomes(passed=2)


def test_providers_that_are_not_global_or_made_late_are_seen(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        from opentelemetry.sdk.trace import TracerProvider
        import agent

        early = TracerProvider()

        def test_early(tracejury):
            def ask(query):
                agent.record(query, "x", tracer=early.get_tracer("shop"))
            assert tracejury.run(ask, "early?").query == "early?"

        def test_late(tracejury):
            def ask(query):
                agent.record(query, "x", tracer=TracerProvider().get_tracer("shop"))
            assert tracejury.run(ask, "late?").query == "late?"
            assert tracejury.run(ask, "later?").query == "later?"
        """,
    ).assert_outcomes(passed=2)


def test_the_users_own_provider_keeps_its_exporters(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        from agent import ask

        own = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(own))
        trace.set_tracer_provider(provider)

        def test_it(tracejury):
            run = tracejury.run(ask, "Where?")
            assert run.query == "Where?" and len(own.get_finished_spans()) == 3
            assert trace.get_tracer_provider() is provider
        """,
    ).assert_outcomes(passed=1)


def test_a_run_is_whole_though_the_test_is_in_a_span(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from agent import ask

        def test_it(tracejury):
            with TracerProvider().get_tracer("tests").start_as_current_span("test") as span:
                run = tracejury.run(ask, "Where?")
                assert trace.get_current_span() is span
            assert run.data["complete"]
        """,
    ).assert_outcomes(passed=1)


def test_an_agent_in_a_process_of_its_own_exports_to_the_session(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        import os, subprocess, sys

        PROGRAM = '''
        import json, os, sys, urllib.request
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from tracejury._capture import Capture
        import agent
        capture = Capture("agent")
        capture.ensure_providers()
        agent.ask(sys.argv[1])
        for path, body in capture.take():
            url = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + path
            urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"})).read()
        '''.replace("\\n        ", "\\n")

        def ask(query):
            subprocess.run([sys.executable, "-c", PROGRAM, query], check=True)

        def test_it(tracejury, monkeypatch):
            assert tracejury.run(ask, "Where?").query == "Where?"
        """,
    ).assert_outcomes(passed=1)


def test_exporters_that_a_test_module_makes_send_to_the_session(project: pytest.Pytester) -> None:
    run_test(
        project,
        """
        import os

        at_import = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"]

        def test_it(tracejury):
            assert at_import == tracejury.session.endpoint
        """,
    ).assert_outcomes(passed=1)


def test_a_call_without_a_run_says_why(project: pytest.Pytester) -> None:
    result = run_test(project, "def test_it(tracejury): tracejury.run(lambda query: None, 'Where?')", "--tracejury-wait=0")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*NoRunError: no run of the agent: the agent sent nothing*", "*instrument the agent*"])


def test_the_environment_is_as_before_in_the_end(project: pytest.Pytester) -> None:
    project.makeconftest(
        """
        import os
        os.environ["OTEL_EXPORTER_OTLP_HEADERS"] = "key=1"
        before = dict(os.environ)

        def pytest_sessionfinish(session):
            assert os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"].startswith("http://127.0.0.1")

        def pytest_configure(config):
            def check():
                names = ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_BSP_SCHEDULE_DELAY")
                assert all(os.environ.get(name) == before.get(name) for name in names)
                print("as before")
            config.add_cleanup(check)
        """
    )
    result = run_test(
        project, "from agent import ask\ndef test_it(tracejury): tracejury.run(ask, 'Where?')", "-s"
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*as before*"])


def test_projects_that_do_not_use_it_start_no_process(project: pytest.Pytester) -> None:
    result = run_test(
        project,
        """
        import os, sys

        def test_it():
            assert "OTEL_EXPORTER_OTLP_ENDPOINT" not in os.environ
            assert not any(name.endswith("._capture") for name in sys.modules)
        """,
    )
    result.assert_outcomes(passed=1)
