import type { LlmCall } from "../fragments/llm-call.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { SpanNode } from "../span/span-node.ts";
import { answerIn, queryIn } from "../span/read-texts.ts";
import type { Explanation, PassedOver, Source } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import type { AgentRun, ToolCall } from "../../model/run.ts";
import type { Evidence } from "../assembly/evidence.ts";
import { EvidenceIndex } from "./evidence-index.ts";
import { isAbsentId } from "../text/absent-id.ts";
import { fromRoot } from "../assembly/query.ts";
import { failureOf } from "../assembly/status.ts";
import type { Steps } from "../assembly/steps.ts";
import { nameOfUse } from "../assembly/tool-use.ts";
import { holdsText } from "../text/holds-text.ts";
import { bare, shown, sourcesOf, spanSource } from "./sources.ts";
import { explainTokens } from "./tokens.ts";

/** For each fact of a run: the spans and attributes it was read from, and why others were not believed. */
export function explainRun(run: AgentRun, evidence: Evidence, steps: Steps): Explanation[] {
  const index = new EvidenceIndex(evidence);
  return [
    ...boundary(run, evidence),
    query(run, evidence),
    answer(run, evidence, steps),
    agent(run, evidence, steps),
    conversation(run, evidence),
    status(run, evidence),
    calls(run, evidence),
    ...explainTokens(run, evidence),
    models("models", run.models, ["requestModel", "model", "responseModel"], evidence),
    models("response_models", run.responseModels, ["responseModel", "model", "requestModel"], evidence),
    ...run.llm.flatMap(({ startUnixMs }, at) =>
      startUnixMs === null ? [unknownTime(`llm[${at}].start_unix_ms`, undefined)] : [],
    ),
    ...run.tools.flatMap((tool, at) => toolFacts(tool, at, index)),
    ...run.handoffs.map(({ from, to, kind, spanId }, at): Explanation => {
      const node = index.nodeOf(spanId);
      const note = { tool: "a tool's name or arguments", span: "a span", agent: "a nested agent" }[kind];
      return {
        fact: `handoffs[${at}]`,
        value: `${from ?? "?"} → ${to}`,
        from: node === undefined ? [] : [spanSource(node, node.span.name)],
        passedOver: [],
        note: note ?? "the next call came from another agent",
      };
    }),
  ];
}

/** Why a run of several in one trace is one of its own. */
function boundary(run: AgentRun, { fragments: [{ isTurn }], root, calls }: Evidence): Explanation[] {
  if (!isTurn) return [];
  const around = root.parent;
  const why = "holds several turns of a conversation: each is a run";
  return [
    {
      fact: "run_id",
      value: run.runId,
      from: [spanSource(calls[0]?.node ?? root, run.query ?? root.span.name)],
      passedOver: around === undefined ? [] : [{ ...spanSource(around, around.span.name), why }],
      note: "a turn: its first model call was sent words of a user, and no agent or tool had spoken since",
    },
  ];
}

type Candidate = Source & { readonly text: string };

/** Candidates by what they hold: those that say the fact's value, and those that say something else. */
function sorted(
  fact: string,
  value: string | null,
  candidates: readonly Candidate[],
  why: (candidate: Candidate) => string,
  note: string | null = null,
): Explanation {
  const agrees = candidates.filter(({ text }) => text === value);
  const near = agrees.length > 0 ? agrees : candidates.filter(({ text }) => holdsText(text, value ?? ""));
  const used = new Set(value === null ? [] : near);
  const passedOver = candidates
    .filter((candidate) => !used.has(candidate))
    .map((candidate): PassedOver => ({ ...bare(candidate), why: why(candidate) }));
  return {
    fact,
    value: value === null ? null : shown(value),
    from: Array.from(used, bare),
    passedOver,
    note,
  };
}

function texts(
  node: SpanNode,
  fields: readonly Field[],
  read: (value: JsonValue) => string | undefined,
): Candidate[] {
  const found = fields.flatMap((field) =>
    sourcesOf(node, field).flatMap(({ raw, ...source }): Candidate[] => {
      const text = read(raw) ?? (typeof raw === "string" ? raw : undefined);
      return text === undefined ? [] : [{ ...source, value: shown(text), text }];
    }),
  );
  return distinct(found);
}

/** Each text of an attribute once. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Map<string | null, Set<string>>();
  return candidates.filter(({ attribute, text }) => {
    let texts = seen.get(attribute);
    if (texts === undefined) seen.set(attribute, (texts = new Set()));
    return texts.size < texts.add(text).size;
  });
}

function spoken(node: SpanNode, side: "inputs" | "outputs"): Candidate[] {
  return node.attached[side].flatMap(({ role, text }) =>
    text !== null && (side === "outputs" || role === "user")
      ? [{ ...spanSource(node, text), attribute: "event or log record", text }]
      : [],
  );
}

/** Where the words stand among messages that no single field of the usual spans holds. */
function elsewhere(explanation: Explanation, value: string | null, evidence: Evidence): Explanation {
  if (value === null || explanation.from.length > 0) return explanation;
  const node = evidence.nodes.find((one) =>
    [...one.inputs, ...one.outputs].some(({ text }) => text !== null && holdsText(text, value)),
  );
  if (node === undefined) return { ...explanation, note: "put together from what several spans hold" };
  return { ...explanation, from: [spanSource(node, value)], note: "among the messages of that span" };
}

function query(run: AgentRun, evidence: Evidence): Explanation {
  const first = evidence.calls[0] ?? evidence.failedCalls[0];
  const nodes = [...fromRoot(evidence), ...spansOf(first)];
  const candidates = nodes.flatMap((node) => [
    ...texts(node, ["inputMessages", "input"], queryIn),
    ...spoken(node, "inputs"),
  ]);
  const found = sorted("query", run.query, candidates, ({ text }) =>
    run.query !== null && holdsText(text, run.query)
      ? "holds the query among other words"
      : "is not what the first model call was sent as the user's words",
  );
  return elsewhere(found, run.query, evidence);
}

function answer(run: AgentRun, evidence: Evidence, { steps }: Steps): Explanation {
  const last = evidence.lastCall;
  const nodes = [...spansOf(last), ...fromRoot(evidence)];
  const candidates = nodes.flatMap((node) => [
    ...texts(node, ["outputText", "outputMessages", "output"], answerIn),
    ...spoken(node, "outputs"),
  ]);
  const why =
    run.status === "error"
      ? "the run failed: only what its last call or its root returned is an answer"
      : "the last call's own words come first";
  const explained = elsewhere(
    sorted("answer", run.answer, candidates, () => why),
    run.answer,
    evidence,
  );
  const given = steps.findLast(({ output }) => output !== undefined);
  if (given === undefined) return explained;
  return { ...explained, note: `given through the tool ${nameOfUse(given.use) ?? "?"}: ${given.output}` };
}

function agent(run: AgentRun, evidence: Evidence, { outerAgent, namedAgent }: Steps): Explanation {
  const candidates = evidence.nodes.flatMap((node): Candidate[] => {
    const named = sourcesOf(node, "agent").flatMap(({ raw, ...source }) =>
      typeof raw === "string" ? [{ ...source, text: raw }] : [],
    );
    const own = node.role === "agent" && named.length === 0 ? node.agentName : undefined;
    return own === undefined ? named : [{ ...spanSource(node, own), text: own }];
  });
  const isService = run.agent === run.service && !candidates.some(({ text }) => text === run.agent);
  const isNamed = namedAgent !== undefined && namedAgent === run.agent;
  const note =
    outerAgent === undefined
      ? isNamed
        ? "a name that a producer declares outranks that of the outermost span"
        : null
      : "an agent without a model call of its own that runs another hands over to it, and is the run's agent";
  return sorted(
    "agent",
    run.agent,
    distinct(candidates),
    () => "another agent of the run, or a framework's constant: the agent of the first model call counts",
    isService ? "no span names an agent: the service's name" : note,
  );
}

function conversation(run: AgentRun, evidence: Evidence): Explanation {
  const nodes = [...evidence.nodes];
  for (let at = evidence.root.parent; at !== undefined; at = at.parent) nodes.push(at);
  const candidates = nodes.flatMap((node) => texts(node, ["conversation"], () => undefined));
  return sorted("conversation_id", run.conversationId, distinct(candidates), ({ text }) =>
    isAbsentId(text) ? "stands for an absent value: not an id" : "an earlier span's id comes first",
  );
}

function status(run: AgentRun, evidence: Evidence): Explanation {
  const failing = evidence.nodes.filter(({ failure }) => failure !== null);
  const decisive = failureOf(evidence);
  const isCause = (node: SpanNode): boolean => decisive !== undefined && node.failure === decisive;
  return {
    fact: "status",
    value: run.status,
    from: failing.filter(isCause).map((node) => spanSource(node, node.failure ?? "")),
    passedOver: failing
      .filter((node) => !isCause(node))
      .map((node) => ({ ...spanSource(node, node.failure ?? ""), why: handled(node) })),
    note: failing.length === 0 ? "no span failed" : null,
  };
}

function handled(node: SpanNode): string {
  if (node.role === "tool") return "a tool's failure is the tool's, not the run's";
  if (node.role === "call") return "an attempt: a later call was answered";
  return "the run went on after it, or another span's failure was copied here";
}

function calls(run: AgentRun, evidence: Evidence): Explanation {
  const counted = new Set(evidence.calls.map(({ node }) => node));
  const failed = new Set(evidence.failedCalls.map(({ node }) => node));
  const around = new Set<SpanNode>();
  for (const call of evidence.calls) call.addAbove(around);
  const others = evidence.nodes.filter((node) => node.role === "call" && !counted.has(node));
  const why = (node: SpanNode): string => {
    if (failed.has(node)) return "the attempt failed";
    if (around.has(node)) return "lies around a call that is counted";
    return "a copy or a part of a call that is counted, or nothing came of it";
  };
  return {
    fact: "llm_calls",
    value: run.llmCalls === null ? null : String(run.llmCalls),
    from: run.llmCalls === null ? [] : [...counted].map((node) => spanSource(node, node.span.name)),
    passedOver: others.map((node) => ({ ...spanSource(node, node.span.name), why: why(node) })),
    note: run.llmCalls === null ? "spans cannot tell how many there were" : null,
  };
}

function models(
  fact: string,
  names: readonly string[],
  fields: readonly Field[],
  evidence: Evidence,
): Explanation {
  const all = evidence.allCalls.flatMap((call) =>
    spansOf(call).flatMap((node) => fields.flatMap((field) => texts(node, [field], () => undefined))),
  );
  const first = new Map<string, Candidate>();
  for (const one of all) if (!first.has(one.text)) first.set(one.text, one);
  const from = names.flatMap((name) => first.get(name) ?? []);
  for (const name of names) first.delete(name);
  const others = [...first.values()];
  return {
    fact,
    value: names.length === 0 ? null : names.join(", "),
    from: from.map(bare),
    passedOver: others.map((source) => ({
      ...bare(source),
      why: fact === "models" ? "the model that answered" : "the model that was asked for",
    })),
    note: from.length < names.length ? "in the request or response that a call kept whole" : null,
  };
}

/** A step without a time of its own: how its place was found. */
function unknownTime(fact: string, asking: LlmCall | undefined): Explanation {
  const note =
    asking === undefined
      ? "unknown: placed by the conversation"
      : "unknown: placed behind the model call that asked for it, and before the one that used its result";
  const from = asking === undefined ? [] : [spanSource(asking.node, "messages of the model call")];
  return { fact, value: null, from, passedOver: [], note };
}

function toolFacts(tool: ToolCall, at: number, index: EvidenceIndex): Explanation[] {
  const node = index.nodeOf(tool.spanId);
  const asking = tool.callId === null ? index.callAskingFor(tool.name) : index.callAsking(tool.callId);
  const fact = (part: string, value: JsonValue | undefined, fields: readonly Field[]): Explanation => {
    const own = node === undefined ? [] : fields.flatMap((field) => sourcesOf(node, field)).slice(0, 1);
    const plain = own.map(bare);
    const asked = asking === undefined ? [] : [spanSource(asking.node, "messages of the model call")];
    return {
      fact: `tools[${at}].${part}`,
      value: value === undefined || value === null ? null : shown(value),
      from:
        value === undefined || value === null
          ? []
          : plain.length > 0
            ? plain
            : node === undefined
              ? asked
              : [spanSource(node, value)],
      passedOver: [],
      note: node === undefined ? "no span of its own: as the model's messages show it" : null,
    };
  };
  return [
    fact("name", tool.name, ["tool"]),
    fact("arguments", tool.arguments, ["arguments", "input"]),
    fact("result", tool.result, ["result", "output"]),
    ...(tool.startUnixMs === null ? [unknownTime(`tools[${at}].start_unix_ms`, asking)] : []),
    ...(tool.error === null ? [] : [fact("error", tool.error, ["error", "level"])]),
  ];
}

function spansOf(call: LlmCall | undefined): SpanNode[] {
  return call === undefined ? [] : [call.node, ...call.around];
}
