import { errorInResult } from "../span/read-tool.ts";
import { printsError, unwrapResult } from "../span/read-arguments.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import type { JsonValue } from "../../model/json.ts";
import type { ToolCall } from "../../model/run.ts";
import { type Evidence, traceIdOf } from "./evidence.ts";
import { LaterUses } from "./later-uses.ts";
import { isCopied } from "./status.ts";
import type { ReportedToolCall } from "./call-records.ts";
import type { Steps } from "./steps.ts";
import { durationBetween, startOf } from "./times.ts";
import { type ToolUse, argumentsOfUse, nameOfUse } from "./tool-use.ts";

/** The tools of a run, in the order in which the model asked for them; those that ran unasked in the order of their start. */
export function toolsOf(evidence: Evidence, steps: Steps, agent: string | null): ToolCall[] {
  const uses = steps.steps
    .filter(({ target, isControl }) => target === undefined && !isControl)
    .map(({ use }) => use);
  const calls = evidence.allCalls;
  const tools = uses.map((use) => toolOf(use, steps, calls, evidence, agent));
  if (tools.every(({ error }) => error === null)) return tools;
  const later = new LaterUses(tools.map(({ name }) => name));
  return tools.map((tool, at) =>
    tool.error !== null && later.has(tool.name, at) ? { ...tool, retried: true } : tool,
  );
}

function toolOf(
  use: ToolUse,
  steps: Steps,
  calls: readonly LlmCall[],
  evidence: Evidence,
  agent: string | null,
): ToolCall {
  const execution = use.executions[use.executions.length - 1];
  const first = use.executions[0]?.nodes[0];
  const last = execution?.nodes[0];
  const own = argumentsOfUse(use);
  const returned = resultOf(use);
  const record = recordOf(use, own === undefined || returned === undefined, evidence);
  const result = returned ?? record?.result;
  const error = errorOf(use, result, evidence) ?? record?.error ?? null;
  return {
    spanId: last?.span.spanId ?? null,
    traceId: traceIdOf(last ?? calls[Math.max(use.requested?.call ?? 0, 0)]?.node ?? evidence.root, evidence),
    name: nameOfUse(use),
    arguments: own ?? record?.arguments,
    result: error === null ? result : undefined,
    error,
    agent: steps.agentOfUse.get(use) ?? agent,
    callId: use.requested?.ids[0] ?? execution?.callId ?? null,
    startUnixMs: first === undefined ? null : startOf(first),
    durationMs: first === undefined || last === undefined ? null : durationBetween(first, last),
    executed: wasExecuted(use, error, calls.length),
    retried: false,
  };
}

/** By the ids of the call: what log records say, and where neither spans nor histories have all, what messages on other spans say. */
function recordOf(
  { requested, executions }: ToolUse,
  lacks: boolean,
  evidence: Evidence,
): ReportedToolCall | undefined {
  const { records } = evidence;
  if (!lacks && records.isEmpty) return undefined;
  const ids = [...(requested?.ids ?? []), ...executions.flatMap(({ callId }) => callId ?? [])];
  const record = firstOf(ids, records);
  if (!lacks || ids.length === 0) return record;
  const said = firstOf(ids, evidence.messageRecords);
  if (said === undefined || record === undefined) return record ?? said;
  return {
    name: record.name ?? said.name,
    arguments: record.arguments ?? said.arguments,
    result: record.result ?? said.result,
    error: record.error ?? said.error,
  };
}

function firstOf(
  ids: readonly string[],
  records: { tool(id: string): ReportedToolCall | undefined },
): ReportedToolCall | undefined {
  for (const id of ids) {
    const record = records.tool(id);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The result of the last execution that has one; what a later history repeats where none has, or where it was cut off. */
function resultOf({ requested, executions }: ToolUse): JsonValue | undefined {
  const ran = executions.findLast((one) => one.result !== undefined)?.result;
  const returned = unwrapResult(requested?.result?.content);
  if (ran === undefined) return returned;
  return typeof ran === "string" && typeof returned === "string" && isCutOff(ran, returned) ? returned : ran;
}

function isCutOff(text: string, whole: string): boolean {
  const begin = text.replace(/(?:\s*(?:\.\.\.|…|[[(<](?:\.\.\.)?\s?truncated[^\])>]*[\])>]))+$/i, "");
  return whole.length > begin.length && begin.length > 0 && whole.startsWith(begin);
}

/** How tools and frameworks begin the text of a failure; asked only where the last execution has no result. */
const errorText =
  /^\s*(?:error\b|an error occurred|exception\b|traceback \(most recent|tool (?:error|execution failed)|failed\b|unknown tool|\w*(?:Error|Exception)\s*[:(]|ENOENT\b|tool .{1,60} (?:not found|does not exist))/i;

/** The last execution decides: an earlier one may have waited for a person. */
function errorOf(
  { requested, executions }: ToolUse,
  result: JsonValue | undefined,
  evidence: Evidence,
): string | null {
  const last = executions[executions.length - 1];
  const isOwn = last?.result === undefined || !last.nodes.some((node) => isCopied(node, evidence));
  if (last !== undefined && last.error !== null && isOwn) return last.error;
  const text = typeof result === "string" ? result : JSON.stringify(result ?? "error");
  if (requested?.result?.isError === true) return text;
  if (printsError(requested?.result?.content)) return text;
  if (last?.result !== undefined) return null;
  return errorInResult(result) ?? (typeof result === "string" && errorText.test(result) ? result : null);
}

const neverRan =
  /(?:unknown tool|tool (?:name )?\S* ?(?:not found|does not exist|is not available)|no (?:such )?tool|not a valid tool)/i;

/** Requested, and neither run nor answered: not executed if the model went on, else unknown. */
function wasExecuted(
  { requested, executions }: ToolUse,
  error: string | null,
  calls: number,
): boolean | null {
  if (executions.length > 0) return true;
  if (requested?.result !== undefined) return error === null || !neverRan.test(error);
  return requested !== undefined && requested.call < calls - 1 ? false : null;
}
