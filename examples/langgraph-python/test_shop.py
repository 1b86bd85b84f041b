"""Tests written by hand. pytest also makes a test of each query in specs/shop.yaml (see pyproject.toml)."""

from tracejury import Tracejury, assert_answers_with, assert_matches_spec, assert_uses_tools

from shop_agent import ask


def test_other_words(tracejury: Tracejury) -> None:
    run = tracejury.run(ask, "My order 5678 has not come yet, where is it?")
    assert_uses_tools(run, ["find_order"])
    assert_answers_with(run, "5678")
    assert_matches_spec(run, "order", "specs/shop.yaml")
