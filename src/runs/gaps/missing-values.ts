import { countsOf } from "../calls/tokens.ts";
import type { AgentRun, Missing, ToolCall } from "../../model/run.ts";
import { hidesRequest, type LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { Coverage } from "../results/usage.ts";
import type { Loss } from "./lost-calls.ts";
import { hasLostAttributes, isSilent, LOST_ATTRIBUTES, mayLackMessages } from "./lost-messages.ts";

type Values = Pick<
  AgentRun,
  "query" | "answer" | "agent" | "status" | "llmCalls" | "llm" | "usage" | "costUsd" | "tools" | "retrievals"
>;

/** One entry for each unknown value of a run. The entry has the cause and the remedy, if the run's data show them. */
export function missingValues(
  run: Values,
  evidence: Evidence,
  coverage: Coverage,
  loss: Loss | null,
): Missing[] {
  const isSilent = coverage === "none" && evidence.nodes.some(({ role }) => role === "call");
  const calls = loss?.why ?? (isSilent ? silentCalls : callReasons[coverage]);
  const missing: Missing[] = [];
  const add = (what: string, why: string): void => void missing.push({ what, why });
  if (run.agent === null)
    add("agent", "no span names an agent, and no resource names a service: set service.name");
  if (run.query === null) add("query", contentReason(run, evidence));
  const answerLost = loss?.isOfAnswer === true ? loss.why : contentReason(run, evidence);
  if (run.answer === null) add("answer", run.status === "error" ? "the run ended in an error" : answerLost);
  if (run.llmCalls === null) add("llm_calls", calls);
  if (run.usage.input === null || run.usage.output === null) add("tokens", tokenReason(run, coverage, calls));
  if (run.costUsd === null) add("cost", costReason(run, coverage, calls));
  const unseen = unseenToolsOf(run.tools, evidence, coverage, run);
  if (unseen !== null) add("tools", unseen);
  for (const entry of missingOfTools(run, evidence)) missing.push(entry);
  return missing;
}

const callReasons: Readonly<Record<Coverage, string>> = {
  all: "a recorded message or turn may be only a part of a model call: instrument the model client",
  covered: "one span covers several model calls: instrument the model client, so that each has a span",
  counted: "one span covers several model calls: instrument the model client, so that each has a span",
  lost: "the message history of a later call shows a model call that has no span, or a span without content: raise the exporter's queue size (OTEL_BSP_MAX_QUEUE_SIZE), or sample complete traces",
  none: "no model call has a span: instrument the model client",
  zero: "no model call was made",
};

const silentCalls =
  "the spans of model calls have neither texts nor token counts: switch on the recording of content, and let the model client report usage";

function tokenReason({ llm }: Values, coverage: Coverage, calls: string): string {
  if (coverage !== "all") return `not all usage is in the data: ${calls}`;
  const served = llm.filter(({ error }) => error === null);
  const silent = served.filter(({ usage }) => usage.input === null || usage.output === null).length;
  return `${silent} of ${served.length} answered model calls lack input or output tokens (for OpenAI streams: stream_options.include_usage)`;
}

function costReason({ llm, usage }: Values, coverage: Coverage, calls: string): string {
  const served = llm.filter(({ error, costUsd }) => error === null && costUsd === null);
  if (served.length === 0)
    return llm.length === 0 || coverage === "all"
      ? "no model call with usage is in the data"
      : `not all usage is in the data: ${calls}`;
  const nameless = served.filter(({ model, responseModel }) => (responseModel ?? model) === null).length;
  if (nameless > 0) return `${nameless} of ${llm.length} model calls name no model`;
  if (usage.input === null || served.some((call) => call.usage.input === null)) return "tokens are unknown";
  const names = [
    ...new Set(served.flatMap(({ model, responseModel }) => responseModel ?? model ?? [])),
  ].sort();
  return `no price for ${names.join(", ")}: add it under \`prices:\` in the configuration`;
}

/** Why texts are missing: the sender's limits, content capture that is switched off, or an instrumentation that records no texts. */
function contentReason(run: Values, { nodes, allCalls }: Evidence): string {
  if (nodes.some(hasLostAttributes)) return `spans lost attributes, events or links: ${LOST_ATTRIBUTES}`;
  const hasContent =
    run.query !== null ||
    run.answer !== null ||
    run.tools.some((tool) => tool.arguments !== undefined || tool.result !== undefined) ||
    run.retrievals.some(
      ({ query, documents }) => query !== null || documents.some(({ content }) => content !== null),
    ) ||
    allCalls.some(({ inputs, outputs }) => [...inputs, ...outputs].some(({ text }) => text !== null));
  return hasContent
    ? "other texts of the run are recorded: the instrumentation does not record this one, or it was cut off"
    : "the run has no texts at all: switch on the recording of content";
}

function missingOfTools(run: Values, evidence: Evidence): Missing[] {
  const { tools } = run;
  const count = (what: string, isUnknown: (tool: ToolCall) => boolean, why: () => string): Missing[] => {
    const many = tools.filter(isUnknown).length;
    return many === 0 ? [] : [{ what, why: `of ${many} of ${tools.length} tool calls: ${why()}` }];
  };
  return [
    ...count("tool_names", ({ name }) => name === null, nameReason),
    ...count(
      "tool_arguments",
      (tool) => tool.arguments === undefined,
      () => contentReason(run, evidence),
    ),
    ...count("tool_results", isResultUnknown, () => contentReason(run, evidence)),
    ...count("tool_execution", ({ executed }) => executed === null, executionReason),
  ];
}

function isResultUnknown({ executed, result, error }: ToolCall): boolean {
  return executed === true && result === undefined && error === null;
}

function nameReason(): string {
  return "neither the tools' spans nor the model's messages have the tools' names: set gen_ai.tool.name";
}

function executionReason(): string {
  return "the last model call requested these tools, and the telemetry does not show whether they ran: instrument the tools";
}

/**
 * Why tools may have run that no span shows; null if there is no sign of such tools. Null also if any tool has a span: each tool that ran
 * is then assumed to have a span.
 */
function unseenToolsOf(
  tools: readonly Pick<ToolCall, "executed">[],
  evidence: Evidence,
  coverage: Coverage,
  { answer, status, usage }: Pick<Values, "answer" | "status" | "usage">,
): string | null {
  const { agentNodes, calls, nodes, toolNodes } = evidence;
  if (toolNodes.length > 0) return null;
  if (calls.some(hidesRequest))
    return "a model call ended with a request for a tool, but neither its messages nor a span show the tool: instrument the tools, or switch on the recording of content";
  if (mayLackMessages(evidence))
    return `messages of a model call may be lost, and no tool has a span: instrument the tools. Why attributes were lost: ${LOST_ATTRIBUTES}`;
  // A request has no result in the messages, and a later model call is missing. Further tools may have been requested in between.
  if (coverage === "lost" && tools.some(({ executed }) => executed === null))
    return "model calls after the last recorded one are missing, and no tool has a span: instrument the tools";
  if (tools.length > 0) return null;
  // A successful agent without model calls, model, tokens and declared tools uses no model, or is instrumented by hand. It is no sign of
  // unseen tools.
  const isAnyCall =
    status === "error" ||
    usage.input !== null ||
    usage.output !== null ||
    nodes.some((node) => node.hasField(F.toolDefinitions)) ||
    agentNodes.some((node) => node.requestModel !== null || countsOf(node).input !== undefined);
  if ((coverage === "none" && isAnyCall) || coverage === "lost" || coverage === "covered")
    return "not all model calls are in the data, and no tool has a span: instrument the tools";
  if (calls.some(wasGivenResults))
    return "a model call received results of tools, but no message or span has the tools' names: instrument the tools";
  // A call with its answer shows that content is recorded; the other calls then only omit their text. If only a span outside the calls has
  // the answer, the calls before the last one may have lost their content.
  const isHidden =
    answer === null
      ? calls.some(isSilent)
      : answer === ""
        ? calls.some((call) => isSilent(call) && call.finish === null)
        : calls.length > 1 && calls.every(isSilent);
  if (isHidden)
    return "the telemetry lacks the output of a model call, and no tool has a span: instrument the tools, or switch on the recording of content";
  return null;
}

/** Whether the call received tool results after the user's last message; earlier messages belong to an earlier turn. */
function wasGivenResults({ inputs }: LlmCall): boolean {
  const since = inputs.slice(inputs.findLastIndex(({ role }) => role === "user") + 1);
  return since.some(({ results }) => results.length > 0);
}
