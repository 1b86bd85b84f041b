import { isObject, type JsonValue } from "../../model/json.ts";
import type { RequestedToolCall } from "./requested-tools.ts";
import type { ToolExecution } from "./tool-executions.ts";

/** One use of a tool: as a model asked for it, as it was executed, or both. */
export interface ToolUse {
  readonly requested: RequestedToolCall | undefined;
  readonly executions: ToolExecution[];
  /** When it was asked for, else when it began. */
  readonly at: number;
}

export function nameOfUse({ requested, executions }: ToolUse): string | null {
  return requested?.name ?? executions.find((one) => one.name !== undefined)?.name ?? null;
}

/** Streamed arguments often never reach the telemetry. */
function isEmpty(value: JsonValue): boolean {
  return value === "" || (isObject(value) && Object.keys(value).length === 0);
}

export function argumentsOfUse({ requested, executions }: ToolUse): JsonValue | undefined {
  return betterArguments(
    requested?.arguments,
    executions.find((one) => one.arguments !== undefined)?.arguments,
  );
}

/** The model's own arguments where they are whole; a tool of one argument may show the bare value where it is executed. */
function betterArguments(wanted: JsonValue | undefined, ran: JsonValue | undefined): JsonValue | undefined {
  if (wanted === undefined || (isEmpty(wanted) && ran !== undefined)) return ran ?? wanted;
  return isObject(wanted) || ran === undefined ? wanted : ran;
}
