import type { Field } from "../../../adapters/field-names.ts";
import type { Explanation, Source } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import type { AgentRun, ToolCall } from "../../model/run.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { readToolSpan } from "../calls/tool-span.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Steps } from "../ledger/steps.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { outcomeOf } from "../notations/result.ts";
import { precedence } from "./precedences.ts";
import { usesOfTools, wholeResultOf } from "../results/tools.ts";
import { explained, shown, sourcesOf, spanSource } from "./sources.ts";

const MESSAGES = "messages of the model call";

/** Explains for each tool call where its name, arguments, result and error come from: its span, log records, or the model's messages. */
export function explainTools(run: AgentRun, evidence: Evidence, { uses }: Steps): Explanation[] {
  const shownUses = usesOfTools(uses);
  return run.tools.flatMap((tool, at) => {
    const use = shownUses[at];
    return use === undefined ? [] : toolFacts(tool, `tools[${at}]`, use, evidence);
  });
}

function toolFacts(tool: ToolCall, path: string, use: ToolUse, evidence: Evidence): Explanation[] {
  const { executions, returned } = use;
  const { allCalls: calls } = evidence;
  const record = evidence.records.tool(use.allIds);
  const asking = use.call === null ? undefined : calls[Math.max(use.call, 0)];
  const later = use.usedBy === null ? undefined : calls[use.usedBy];
  const nodes = executions.flatMap((execution) => execution.nodes);
  const asked = asking === undefined ? [] : [spanSource(asking.node, MESSAGES)];
  const isAskedWith = use.asked.value !== undefined && !use.asked.isCut && use.asked.value === tool.arguments;
  const ran = executions.findLast(({ result }) => result !== undefined);
  const isReturned =
    ran === undefined &&
    returned !== null &&
    (tool.result !== "" || nodes.length === 0) &&
    wholeResultOf(outcomeOf(returned.content)) !== undefined;
  const isRecorded = ran === undefined && !isReturned && record?.result !== undefined;
  const note =
    nodes.length === 0 && record === null ? "no span of the tool call; from the model's messages" : null;
  const fact = (part: string, value: JsonValue | undefined, from: readonly Source[]): Explanation =>
    value === undefined || value === null
      ? explained(`${path}.${part}`, null, [], { note })
      : explained(`${path}.${part}`, shown(value), from, { note });
  const result = fact(
    "result",
    tool.result,
    isReturned
      ? [spanSource((later ?? asking)?.node ?? (nodes[0] as SpanFacts), MESSAGES)]
      : firstIn(isRecorded ? (record?.from ?? []) : (ran?.nodes ?? nodes), ["result", "output"]),
  );
  const isCut = isReturned && nodes.some((node) => readToolSpan(node).isResultCut);
  const hasFailedBelow = tool.error === null && nodes.some(({ failure }) => failure !== null);
  return [
    fact(
      "name",
      tool.name,
      use.requestedName === null || use.called !== null || asked.length === 0
        ? firstIn(nodes, ["tool"])
        : asked,
    ),
    fact(
      "arguments",
      tool.arguments,
      isAskedWith && asked.length > 0
        ? asked
        : firstIn(
            use.arguments === undefined ? (record?.from ?? nodes) : nodes,
            ["arguments", "input"],
            asked,
          ),
    ),
    {
      ...result,
      note: isCut
        ? "the result on the tool's span was cut off; the complete result is in the messages of a model call"
        : result.note,
      precedence: hasFailedBelow ? precedence(4) : null,
    },
    ...(tool.startUnixMs === null ? [timeUnknown(`${path}.start_unix_ms`, asking)] : []),
    ...(tool.error === null
      ? []
      : [
          {
            ...fact("error", tool.error, firstIn(nodes, ["error", "level", "result", "output"], asked)),
            precedence: precedence(4),
          },
        ]),
  ];
}

/**
 * Returns the source of the first of these fields that any span has. If no span has one of the fields, the first span is the source; if
 * there are no spans, `otherwise`.
 */
function firstIn(
  nodes: readonly SpanFacts[],
  fields: readonly Field[],
  otherwise: readonly Source[] = [],
): readonly Source[] {
  for (const field of fields)
    for (const node of nodes) {
      const [source] = sourcesOf(node, field);
      if (source !== undefined) return [source];
    }
  const [first] = nodes;
  return first === undefined ? otherwise : [spanSource(first, first.span.name)];
}

/** Explains the place of a step without a time: the step follows the call that requested it. */
export function timeUnknown(fact: string, asking: LlmCall | undefined): Explanation {
  if (asking === undefined)
    return explained(fact, null, [], {
      note: "the time of the step is unknown; its position is known from the messages",
    });
  return explained(fact, null, [spanSource(asking.node, MESSAGES)], {
    note: "the time of the tool call is unknown; it is listed after the model call that requested it and before the model call that received its result",
  });
}
