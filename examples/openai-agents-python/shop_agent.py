"""A shop's assistant, built with the OpenAI Agents SDK. REAL_MODEL=gpt-4o-mini with OPENAI_API_KEY uses a real model."""

import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
from openai import AsyncOpenAI
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

import scripted_model

# Creates spans of the framework. The pytest plug-in sets a tracer provider if there is none.
OpenAIAgentsInstrumentor().instrument()


@function_tool
def find_order(number: str) -> str:
    """Where an order is."""
    return f"order {number} is in Lyon and arrives on Friday."


@function_tool
def refund_order(number: str) -> str:
    """Gives the money for an order back."""
    return f"order {number} is refunded."


def model() -> OpenAIChatCompletionsModel:
    name = os.environ.get("REAL_MODEL")
    if name is not None:
        return OpenAIChatCompletionsModel(name, AsyncOpenAI())
    return OpenAIChatCompletionsModel("gpt-4o-mini", AsyncOpenAI(base_url=scripted_model.start(), api_key="none"))


agent = Agent(
    name="shop",
    instructions="You answer questions of a shop's customers. Refund nothing unless you are asked to.",
    model=model(),
    tools=[find_order, refund_order],
)


async def ask(query: str, history: list[dict] = []) -> str:
    result = await Runner.run(agent, [*history, {"role": "user", "content": query}])
    return result.final_output
