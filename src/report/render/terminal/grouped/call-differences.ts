import { besideMark } from "../../../../evaluate/checks/path/tools/calls-side-by-side.ts";
import { printable } from "../printable.ts";
import type { Theme } from "../theme.ts";
import type { CheckJson } from "../../../json/verdict-schema.ts";

const LONGEST = 110;
const INDENT = "     ";

/**
 * Returns expected and actual calls of `expected_tool_calls` with their arguments, as a diff; empty if none
 * differs.
 */
export function callDifferences({ reasons = [] }: CheckJson, theme: Theme): readonly string[] {
  return reasons.flatMap(({ code, expected, actual }) => {
    if (!code.startsWith("CALL_")) return [];
    const note =
      code === "CALL_MISSING" ? "   not called" : code === "CALL_UNEXPECTED" ? "   not expected" : "";
    return [
      ...(expected === null
        ? []
        : [theme.bad(`${INDENT}- ${printable(expected, LONGEST)}`) + theme.dim(note)]),
      ...(actual === null ? [] : [theme.good(`${INDENT}+ ${printable(actual, LONGEST)}`) + theme.dim(note)]),
    ];
  });
}

/** Returns a check's message without the calls that the diff below shows. */
export function withoutCalls(message: string): string {
  const at = message.indexOf(besideMark);
  return at < 0 ? message : message.slice(0, at);
}
