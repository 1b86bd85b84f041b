import type { JsonValue } from "../../../model/json.ts";
import type { AgentRun, Handoff, Missing, ModelCall, ToolCall } from "../../../model/run.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import { counted, duration, printable, type Theme } from "../terminal/printable.ts";
import { wordList } from "../../../support/structures/word-list.ts";

const details: ReadonlySet<string> = new Set(
  wordList(`
    service conversation_id cached_tokens cache_write_tokens reasoning_tokens handoffs_available
    price_source
  `),
);

interface TreeStep {
  readonly startUnixMs: number | null;
  readonly text: string;
  readonly durationMs: number | null;
  readonly error: string | null;
}

/**
 * Returns the output of `inspect --format tree`: a summary, the query, the steps, retrievals, guardrails, the
 * answer, and the unknown values.
 */
export function runTree(run: AgentRun, theme: Theme): string {
  const steps = stepsOf(run, theme);
  const children = [
    ...(run.query === null ? [] : [`query   ${printable(run.query)}`]),
    ...steps.map((step) => stepLine(step, theme)),
    ...(run.stepOrder === undefined
      ? run.handoffs.map((one) => stepLine(handoffStep(one, null, theme), theme))
      : []),
    ...run.retrievals.map(({ query, documents }) => {
      return `retrieval ${printable(query ?? "")} ${theme.dim(counted(documents.length, "document"))}`;
    }),
    ...run.guardrails.map(({ name, triggered }) => `guardrail ${printable(name)} ${guard(triggered, theme)}`),
    ...(run.answer === null ? [] : [`answer  ${printable(run.answer)}`]),
    ...unknownLines(run, theme),
  ];
  const last = children.length - 1;
  return [head(run, theme), ...children.map((line, at) => `${at === last ? "└─" : "├─"} ${line}`)].join("\n");
}

/**
 * Returns model calls, tool calls and hand-offs in the order of the run. If the order is unknown, returns
 * model calls and tool calls by start time, without hand-offs.
 */
function stepsOf(run: AgentRun, theme: Theme): TreeStep[] {
  if (run.stepOrder === undefined)
    return [...run.llm.map(modelStep), ...run.tools.map(toolStep)].sort(
      (a, b) => (a.startUnixMs ?? Infinity) - (b.startUnixMs ?? Infinity),
    );
  return run.stepOrder.flatMap(({ kind, index, startUnixMs }) => {
    const [call, tool, handoff] = [run.llm[index], run.tools[index], run.handoffs[index]];
    if (kind === "handoff") return handoff === undefined ? [] : handoffStep(handoff, startUnixMs, theme);
    if (kind === "model") return call === undefined ? [] : modelStep(call);
    return kind === "tool" && tool !== undefined ? toolStep(tool) : [];
  });
}

/** Returns a line for each unknown value. Details (`isDetail`) are left out; only the JSON output lists them. */
function unknownLines({ missing }: AgentRun, theme: Theme): string[] {
  return missing
    .filter((entry) => !isDetail(entry))
    .map(({ what, why }) => theme.unsure(`unknown ${printable(what)}: ${printable(why)}`));
}

function head(run: AgentRun, theme: Theme): string {
  const status =
    run.status === "ok" ? theme.good("ok") : run.status === "error" ? theme.bad("error") : "unknown";
  const facts = [
    duration(run.durationMs),
    run.llmCalls === null ? "model calls unknown" : counted(run.llmCalls, "model call"),
    run.totalTokens === null ? "tokens unknown" : `${grouped(run.totalTokens)} tokens`,
    run.costUsd === null ? "cost unknown" : dollars(run.costUsd),
    run.complete ? "" : theme.unsure(`not complete (${run.closeReason})`),
  ].filter((fact) => fact !== "");
  const name = printable(run.agent ?? run.service ?? "agent run");
  return `${name}  ${status}  ${facts.join(" · ")}  ${theme.dim(run.runId)}`;
}

function stepLine({ text, startUnixMs, durationMs, error }: TreeStep, theme: Theme): string {
  const time = startUnixMs === null ? "time unknown" : durationMs === null ? "" : duration(durationMs);
  const took = time === "" ? "" : theme.dim(`  ${time}`);
  return `${text}${took}${error === null ? "" : theme.bad(`  ✗ ${printable(error)}`)}`;
}

function modelStep(call: ModelCall): TreeStep {
  const { input, output } = call.usage;
  const tokens =
    input === null || output === null ? "tokens unknown" : `${grouped(input)} in, ${grouped(output)} out`;
  return {
    startUnixMs: call.startUnixMs,
    text: `model   ${printable(call.responseModel ?? call.model ?? "unknown model")} (${tokens})`,
    durationMs: call.durationMs,
    error: call.error,
  };
}

function toolStep(call: ToolCall): TreeStep {
  const result = call.result === undefined ? "" : ` → ${printable(shown(call.result), 60)}`;
  const ran = call.executed === false ? " (not executed)" : "";
  return {
    startUnixMs: call.startUnixMs,
    text: `tool    ${printable(call.name ?? "unnamed tool")}(${printable(shown(call.arguments), 60)})${result}${ran}`,
    durationMs: call.durationMs,
    error: call.error,
  };
}

/** Returns the line of a hand-off. Hand-offs have no duration. */
function handoffStep({ from, to, inferred }: Handoff, startUnixMs: number | null, theme: Theme): TreeStep {
  const text = `hand-off ${printable(from ?? "?")} → ${printable(to)}${inferred ? theme.dim(" (inferred)") : ""}`;
  return { startUnixMs: startUnixMs ?? 0, text, durationMs: null, error: null };
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "?";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function guard(triggered: boolean | null, theme: Theme): string {
  if (triggered === null) return "(outcome unknown)";
  return triggered ? theme.bad("triggered") : theme.good("passed");
}

/**
 * Whether an entry of `missing` is a detail that no layer of a verdict needs. A name with a dot is a detail
 * of a step, such as `llm.finish_reason`.
 */
export function isDetail({ what }: Pick<Missing, "what">): boolean {
  return details.has(what) || what.includes(".");
}
