import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun, Handoff } from "../../model/run.ts";
import type { Evidence } from "../evidence.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { Steps } from "../ledger/steps.ts";
import { isAbsentId } from "../notations/names.ts";
import { precedence } from "./precedences.ts";
import { failureOf } from "../results/status.ts";
import { FragmentBoundary } from "../waiting/fragment-boundary.ts";
import { leavesOf, takesOf } from "../waiting/links.ts";
import { isAgentName, isGivenName } from "../who/agent-name.ts";
import { explainCost, explainTokens } from "./explain-tokens.ts";
import { explainTools, timeUnknown } from "./explain-tools.ts";
import { explainAnswer, explainQuery } from "./explain-words.ts";
import {
  type Candidate,
  chosen,
  distinct,
  explained,
  namesIn,
  passed,
  shown,
  sourcesOf,
  spanSource,
  spansOf,
} from "./sources.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

/**
 * Explains each fact of a run: the spans and attributes that it comes from, the rejected sources with the reason, and, if the fact is
 * unknown, why.
 */
export function explainRun(run: AgentRun, evidence: Evidence, steps: Steps): Explanation[] {
  const all = [
    ...turn(run, evidence),
    ...joined(evidence),
    explainQuery(run, evidence),
    explainAnswer(run, evidence, steps),
    agent(run, evidence, steps),
    conversation(run, evidence),
    status(run, evidence),
    calls(run, evidence),
    ...explainTokens(run, evidence),
    explainCost(run, evidence),
    models("models", run.models, ["requestModel", "model", "responseModel"], evidence),
    models("response_models", run.responseModels, ["responseModel", "model", "requestModel"], evidence),
    ...run.llm.flatMap(({ startUnixMs }, at) =>
      startUnixMs === null ? [timeUnknown(`llm[${at}].start_unix_ms`, undefined)] : [],
    ),
    ...explainTools(run, evidence, steps),
    ...run.handoffs.map((handoff, at) => handoffFact(handoff, at, evidence)),
  ];
  return all.map((one) => (one.value === null ? withReason(one, run) : one));
}

/** Names (`what`) of the entries of `missing` that concern a fact, by fact. */
const entries: Readonly<Record<string, readonly string[]>> = {
  query: ["query"],
  answer: ["answer", "end"],
  agent: ["agent"],
  status: ["end"],
  llm_calls: ["llm_calls"],
  input_tokens: ["tokens"],
  output_tokens: ["tokens"],
};

/** Adds to an unknown fact the reason from `missing`. */
function withReason(explanation: Explanation, { missing }: AgentRun): Explanation {
  const about = entries[explanation.fact] ?? [];
  const entry = missing.find(({ what }) => about.includes(what));
  return entry === undefined ? explanation : { ...explanation, note: entry.why };
}

function agent(run: AgentRun, evidence: Evidence, { outerAgent, namedAgent }: Steps): Explanation {
  const candidates = evidence.nodes.flatMap((node): Candidate[] => {
    const named = namesIn(node, ["agent"]);
    const own = node.role === "agent" && named.length === 0 ? node.agentName : null;
    return own === null ? named : [{ ...spanSource(node, own), text: own, isInferred: true }];
  });
  const isService = run.agent === run.service && !candidates.some(({ text }) => text === run.agent);
  const isNamed = namedAgent !== null && namedAgent === run.agent;
  const note =
    outerAgent !== null
      ? "the run's agent is the outer agent, which makes no model call itself and hands over to an inner agent"
      : isNamed
        ? "an agent name in an attribute takes precedence over the name of the outermost span"
        : null;
  const rule =
    run.agent !== null && isGivenName(run.agent) && !isAgentName(run.agent) ? 3 : isNamed ? 1 : null;
  return {
    ...chosen(
      "agent",
      run.agent,
      distinct(candidates),
      () =>
        "the name of another agent of the run, or a framework's default name. Usually the agent of the first model call is the run's agent",
    ),
    note:
      isService && run.agent !== null ? "no span names an agent, so the agent has the service's name" : note,
    precedence: rule === null ? null : precedence(rule),
  };
}

function conversation(run: AgentRun, evidence: Evidence): Explanation {
  const nodes = [...evidence.nodes];
  for (let at = evidence.root.parent; at !== null; at = at.parent) nodes.push(at);
  const candidates = distinct(nodes.flatMap((node) => namesIn(node, ["conversation"])));
  const found = chosen("conversation_id", run.conversationId, candidates, ({ text }) =>
    isAbsentId(text)
      ? "a placeholder for an absent value, not an id"
      : "an earlier span has another id, which takes precedence",
  );
  const isElsewhere = run.conversationId !== null && found.from.length === 0;
  return isElsewhere
    ? { ...found, note: "the resource, or the framework's metadata, contains this value" }
    : found;
}

function status(run: AgentRun, evidence: Evidence): Explanation {
  const failing = evidence.nodes.filter(({ failure }) => failure !== null);
  const decisive = run.status === null ? null : failureOf(evidence);
  const isCause = ({ failure }: SpanFacts): boolean => failure === decisive;
  const from = failing.filter(isCause).map((node) => spanSource(node, node.failure));
  return explained("status", run.status, from, {
    passedOver: failing
      .filter((node) => !isCause(node))
      .map((node) => passed(spanSource(node, node.failure), handled(node), 4)),
    note: failing.length === 0 ? "no span failed" : null,
    rule: failing.length === 0 ? null : 4,
  });
}

function handled(node: SpanFacts): string {
  if (node.role === "tool") return "the failure of a tool is not a failure of the run";
  if (node.role === "call") return "a failed attempt: a later call was answered";
  return "the run continued after this failure, or another span's failure was copied to this span";
}

function calls(run: AgentRun, evidence: Evidence): Explanation {
  const counted = [...new Set(evidence.calls.map(({ node }) => node))];
  const failed = new Set(evidence.failedCalls.map(({ node }) => node));
  const around = new Set(evidence.calls.flatMap((call) => call.around));
  const others = evidence.nodes.filter((node) => node.role === "call" && !counted.includes(node));
  const why = (node: SpanFacts): string => {
    if (failed.has(node)) return "the attempt failed";
    if (around.has(node)) return "this span encloses or repeats a model call that is counted";
    if (counted.length === 0) return "this span has neither a text nor a number of tokens";
    return "this span encloses model calls that are counted, repeats such a call, or has no result";
  };
  const from = run.llmCalls === null ? [] : counted.map((node) => spanSource(node, node.span.name));
  return explained("llm_calls", run.llmCalls, from, {
    passedOver: others.map((node) =>
      passed(
        spanSource(node, node.span.name),
        why(node),
        failed.has(node) ? 4 : node.isRoleInferred && counted.length > 0 ? 1 : null,
      ),
    ),
    note: run.llmCalls === 0 ? "no span or log record shows a model call" : null,
    rule: run.llmCalls === null ? 7 : null,
  });
}

function models(
  fact: string,
  names: readonly string[],
  fields: readonly Field[],
  evidence: Evidence,
): Explanation {
  const spans = evidence.allCalls.length > 0 ? evidence.allCalls.flatMap(spansOf) : evidence.agentNodes;
  const first = new Map<string, Candidate>();
  for (const one of spans.flatMap((node) => fields.flatMap((field) => namesIn(node, [field]))))
    if (!first.has(one.text)) first.set(one.text, one);
  const from = names.flatMap((name) => first.get(name) ?? []);
  const others = [...first.values()].filter(({ text }) => !names.includes(text));
  return explained(fact, names.length === 0 ? null : names.join(", "), from, {
    passedOver: others.map((source) =>
      passed(source, fact === "models" ? "the model that answered" : "the requested model"),
    ),
    note:
      from.length < names.length
        ? "in the recorded request or response of a call, or in a span's name"
        : null,
  });
}

const kinds: Readonly<Record<Handoff["kind"], string>> = {
  tool: "a tool's name or arguments show the hand-off",
  span: "a span records the hand-off",
  change: "the next model call is by another agent, or another agent ran within this agent's span",
};

function handoffFact({ from, to, kind, spanId }: Handoff, at: number, { nodes }: Evidence): Explanation {
  const node = nodes.find(({ span }) => span.spanId === spanId);
  const source =
    node === undefined ? undefined : (sourcesOf(node, "handoffTo")[0] ?? spanSource(node, node.span.name));
  return explained(`handoffs[${at}]`, `${from ?? "?"} → ${to}`, source === undefined ? [] : [source], {
    note: kinds[kind],
  });
}

/** Explains why the run is separate from the other runs of its trace; empty if it is not one of several turns. */
function turn(run: AgentRun, { fragments: [{ isTurn }], root, calls }: Evidence): Explanation[] {
  if (!isTurn) return [];
  const around = root.parent;
  const why = "this span contains several turns of a conversation; each turn is a run";
  return [
    explained("run_id", run.runId, [spanSource(calls[0]?.node ?? root, run.query ?? root.span.name)], {
      passedOver: around === null ? [] : [passed(spanSource(around, around.span.name), why)],
      note: "a turn: the input of its first model call ends with a user message",
    }),
  ];
}

/** Explains, for each trace after the first, the link by which it continues an earlier trace. */
function joined({ fragments }: Evidence): Explanation[] {
  if (fragments.length < 2) return [];
  const boundaries = fragments.map((fragment) => new FragmentBoundary(fragment));
  return boundaries.slice(1).map((boundary, index): Explanation => {
    const { traceId, root } = boundary.fragment;
    const taken = takesOf(boundary).flat();
    const earlier = boundaries.slice(0, index + 1).reverse();
    const link = taken.find((one) => earlier.some((other) => leavesOf(other).includes(one)));
    const left = link === undefined ? undefined : earlier.find((other) => leavesOf(other).includes(link));
    const node = left?.fragment.root ?? root;
    return explained(`trace_ids[${index + 1}]`, traceId, [spanSource(node, node.span.name)], {
      note:
        link === undefined
          ? "this span repeats a call or tool of the run"
          : `this trace continues trace ${left?.fragment.traceId ?? ""}, because of the link ${shown(link)}`,
    });
  });
}
