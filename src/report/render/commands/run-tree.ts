import type { JsonValue } from "../../../model/json.ts";
import type { AgentRun, ModelCall, ToolCall } from "../../../model/run.ts";
import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import { counted, duration, printable } from "../terminal/printable.ts";
import type { Theme } from "../terminal/theme.ts";

/** A line of the tree: what happened, when, how long, and what went wrong. */
interface Step {
  readonly startUnixMs: number;
  readonly text: string;
  readonly durationMs: number | null;
  readonly error: string | null;
}

/** A run as `inspect --format tree` draws it: head, its steps in time, hand-offs, answer, and what is unknown. */
export function runTree(run: AgentRun, theme: Theme): string {
  const steps = [...run.llm.map(modelStep), ...run.tools.map(toolStep)].sort(
    (a, b) => a.startUnixMs - b.startUnixMs,
  );
  const children = [
    ...(run.query === null ? [] : [`query   ${printable(run.query)}`]),
    ...steps.map((step) => stepLine(step, theme)),
    ...run.handoffs.map(({ from, to, inferred }) => {
      return `hand-off ${printable(from ?? "?")} → ${printable(to)}${inferred ? theme.dim(" (inferred)") : ""}`;
    }),
    ...run.retrievals.map(({ query, documents }) => {
      return `retrieval ${printable(query ?? "")} ${theme.dim(counted(documents.length, "document"))}`;
    }),
    ...run.guardrails.map(({ name, triggered }) => `guardrail ${printable(name)} ${guard(triggered, theme)}`),
    ...(run.answer === null ? [] : [`answer  ${printable(run.answer)}`]),
    ...run.missing.map(({ what, why }) => theme.unsure(`unknown ${printable(what)}: ${printable(why)}`)),
  ];
  const last = children.length - 1;
  return [head(run, theme), ...children.map((line, at) => `${at === last ? "└─" : "├─"} ${line}`)].join("\n");
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

function stepLine({ text, durationMs, error }: Step, theme: Theme): string {
  const took = durationMs === null ? "" : theme.dim(`  ${duration(durationMs)}`);
  return `${text}${took}${error === null ? "" : theme.bad(`  ✗ ${printable(error)}`)}`;
}

function modelStep(call: ModelCall): Step {
  const { input, output } = call.usage;
  const tokens =
    input === null || output === null ? "tokens unknown" : `${grouped(input)} in, ${grouped(output)} out`;
  return {
    startUnixMs: call.startUnixMs ?? Number.MAX_SAFE_INTEGER,
    text: `model   ${printable(call.responseModel ?? call.model ?? "unknown model")} (${tokens})`,
    durationMs: call.durationMs,
    error: call.error,
  };
}

function toolStep(call: ToolCall): Step {
  const result = call.result === undefined ? "" : ` → ${printable(shown(call.result), 60)}`;
  const ran = call.executed === false ? " (not executed)" : "";
  return {
    startUnixMs: call.startUnixMs ?? Number.MAX_SAFE_INTEGER,
    text: `tool    ${printable(call.name ?? "unnamed tool")}(${printable(shown(call.arguments), 60)})${result}${ran}`,
    durationMs: call.durationMs,
    error: call.error,
  };
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "?";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function guard(triggered: boolean | null, theme: Theme): string {
  if (triggered === null) return "(outcome unknown)";
  return triggered ? theme.bad("triggered") : theme.good("passed");
}
