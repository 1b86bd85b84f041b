"""Projects with an agent that records spans as the conventions of OpenTelemetry say, without any framework."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

AGENT = '''
import json
import os

from opentelemetry import trace


def record(query, answer, tools=("find_order",), content=True, tracer=None):
    tracer = tracer or trace.get_tracer("shop")
    with tracer.start_as_current_span("invoke_agent shop") as root:
        root.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop"})
        for name in tools:
            with tracer.start_as_current_span(f"execute_tool {name}") as tool:
                tool.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name})
        with tracer.start_as_current_span("chat gpt-4o-mini") as chat:
            chat.set_attributes({
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": "gpt-4o-mini",
                "gen_ai.usage.input_tokens": 100,
                "gen_ai.usage.output_tokens": 10,
            })
            if content:
                chat.set_attributes({
                    "gen_ai.input.messages": message("user", query),
                    "gen_ai.output.messages": message("assistant", answer),
                })


def message(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def ask(query):
    tools = os.environ.get("TOOLS", "find_order").split(",")
    record(query, "In Lyon.", tools)
'''

SPEC = """
agent: shop
queries:
  - id: order
    query: "Where is my order?"
    correctness: { expected_in_answer: ["Lyon"] }
    path: { forbidden_tools: [refund], max_tool_calls: 1 }
  - id: lost
    query: "I lost my order"
    correctness: { expected_in_answer: ["Lyon"] }
  - id: rest
    query: "*"
    cost: { max_llm_calls: 3 }
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with `agent.py`, `spec.yaml` and nothing else."""
    pytester.makepyfile(agent=AGENT)
    pytester.makefile(".yaml", spec=SPEC)
    return pytester


@pytest.fixture
def options() -> list[str]:
    return ["--tracejury-spec", "spec.yaml", "--tracejury-agent", "agent:ask", "--tracejury-judge", "off"]
