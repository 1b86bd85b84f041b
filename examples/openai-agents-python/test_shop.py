"""Tests written by hand. pytest also makes a test of each query in specs/shop.yaml (see pyproject.toml)."""

from tracejury import Tracejury, assert_costs_less_than, assert_matches_spec, assert_uses_exactly_tools

from shop_agent import ask


def test_other_words(tracejury: Tracejury) -> None:
    run = tracejury.run(ask, "My order 5678 has not come yet, where is it?")
    assert_uses_exactly_tools(run, ["find_order"])
    assert_costs_less_than(run, 0.01)
    assert_matches_spec(run, "order", "specs/shop.yaml")
