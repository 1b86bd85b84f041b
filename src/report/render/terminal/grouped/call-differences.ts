import { besideMark } from "../../../../evaluate/checks/path/tools/calls-side-by-side.ts";
import { printable, type Theme } from "../printable.ts";
import type { CheckJson } from "../../../json/verdict-schema.ts";

const LONGEST = 110;
const INDENT = "     ";

/**
 * Returns the difference between the calls that `expected_tool_calls` expects and the actual calls, with
 * arguments. Returns an empty list if all calls are equal.
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

/** Returns the message of a check without the calls that the difference already lists. */
export function withoutCalls(message: string): string {
  const at = message.indexOf(besideMark);
  return at < 0 ? message : message.slice(0, at);
}
