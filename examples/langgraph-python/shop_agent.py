"""A shop's assistant, built with LangGraph. REAL_MODEL=gpt-4o-mini with OPENAI_API_KEY uses a real model."""

import os

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor

import scripted_model

# Creates spans of the framework. The pytest plug-in sets a tracer provider if there is none.
LangChainInstrumentor().instrument()


@tool
def find_order(number: str) -> str:
    """Where an order is."""
    return f"order {number} is in Lyon and arrives on Friday."


@tool
def refund_order(number: str) -> str:
    """Gives the money for an order back."""
    return f"order {number} is refunded."


def model() -> ChatOpenAI:
    name = os.environ.get("REAL_MODEL")
    if name is not None:
        return ChatOpenAI(model=name)
    return ChatOpenAI(model="gpt-4o-mini", base_url=scripted_model.start(), api_key="none")


agent = create_agent(
    model(),
    [find_order, refund_order],
    system_prompt="You answer questions of a shop's customers. Refund nothing unless you are asked to.",
    name="shop",
)


def ask(query: str, history: list[dict] = []) -> str:
    state = agent.invoke({"messages": [*history, {"role": "user", "content": query}]})
    return state["messages"][-1].content
