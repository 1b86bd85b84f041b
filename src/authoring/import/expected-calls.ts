import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";

/** An expected call of a reference trajectory. */
export interface ReferenceCall {
  readonly name: string;
  readonly arguments: JsonValue;
  /** Whether the call belongs to the same step as the previous call. */
  readonly withPrevious?: boolean;
}

export interface CallRule {
  readonly mode: PlainMode;
  readonly ignoresArguments: boolean;
}

/** Severity of imported trajectories. In ADK and agentevals, a different trajectory fails the test. */
export const failsByPath: JsonObject = { severity: { path: "fail" } };

/** Returns the keys of `path` that check the calls of a reference trajectory. */
export function callsExpected(
  calls: readonly ReferenceCall[],
  { mode, ignoresArguments }: CallRule,
): JsonObject {
  if (calls.length === 0) return mode.startsWith("contains") ? {} : { max_tool_calls: 0 };
  if (ignoresArguments) return { expected_tool_sequence: calls.map(({ name }) => name), sequence_mode: mode };
  return {
    expected_tool_calls: calls.map(({ name, arguments: args, withPrevious }) => ({
      name,
      arguments: args,
      ...(withPrevious === true && mode === "same-order" ? { with_previous: true } : {}),
    })),
    call_mode: mode,
  };
}
