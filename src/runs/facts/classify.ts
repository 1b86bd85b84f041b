import { askingScope } from "../../model/telemetry/own-scope.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { NameRule } from "../../../adapters/adapter-type.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import { ruleIsOn } from "../rules.ts";
import { agentNameOf, isGivenName } from "../who/agent-name.ts";
import { KIND } from "./attribute-words.ts";
import { roleByName } from "./dialects.ts";
import { addDeclaredEvents, inferFromEvents } from "./events.ts";
import { readFailure } from "./failure.ts";
import type { FieldPlans } from "./field-plan.ts";
import type { FieldTable } from "./field-table.ts";
import { F } from "./fields.ts";
import { lacksFields, roleByContent } from "./role-fields.ts";
import { roleEnding, roleNamed } from "./role-words.ts";
import { SpanFacts } from "./span-facts.ts";
import type { TraceValues } from "./trace-values.ts";
import { mayBe } from "./value-looks.ts";

/** Reads the fields of one span and decides its role. */
export function readSpan(span: SpanView, plans: FieldPlans, values: TraceValues): SpanFacts {
  const plan = plans.of(span);
  const facts = new SpanFacts(span, plan, plan.dialectsOf(span.scopeName), values);
  const hasMore = span.events.length > 0 || span.logs.length > 0;
  facts.role = roleOf(facts, plans, hasMore);
  if (facts.role === "agent") facts.agentName = agentNameOf(facts);
  readFailure(facts);
  return facts;
}

/**
 * Returns the role of a span. The first source that gives a role decides:
 * 1. the most specific role attribute,
 * 2. the span name, in a dialect of the span or in OpenTelemetry's conventions,
 * 3. the span's fields,
 * 4. the names and values of undeclared attributes.
 * Then corrections apply: for some combinations of name and fields, and by the span's adapters.
 */
function roleOf(facts: SpanFacts, plans: FieldPlans, hasMore: boolean): SpanRole {
  const { table } = plans;
  const { span, dialects, plan } = facts;
  if (span.scopeName === askingScope) return "copy";
  const declared =
    byAttribute(facts) ?? dialects.roleOfName(span.name) ?? conventionalRole(span.name) ?? undefined;
  if (hasMore) addDeclaredEvents(facts, plans, declared);
  let role = declared ?? byContent(facts);
  if (declared === undefined && role === "call" && isNamedAgent(facts)) role = "agent";
  const kind = lacks(facts, role) ? infer(facts, table, role, hasMore) : undefined;
  if (role === "unknown") {
    const own = table.roleOfOwnName(span.name);
    role = own ?? kind ?? byLooks(facts);
    if (own !== null) facts.ownDialect = table.dialectOfOwnName(span.name);
    facts.isRoleInferred = own === null && role !== "unknown";
  }
  if (role === "step" && facts.plan.hasField(F.tool) && facts.tool !== null && facts.hasField(F.arguments))
    role = "tool";
  // LangChain and its instrumentations write the agent's name as an attribute of each step. The agent's own span also has it as span name.
  if (role === "step" && facts.agent === span.name && isGivenName(span.name)) role = "agent";
  // A hook or formatter has the name of the tool or model for which it runs, but is only a step.
  if (
    declared === undefined &&
    (role === "tool" || role === "call") &&
    isBeside(span.name) &&
    ruleIsOn("other-operations")
  )
    role = "step";
  if (role === "call" && isPreparing(span.name) && !facts.hasField(F.inputTokens)) role = "copy";
  if (role === "tool" && dialects.isCopy(span.name)) role = "copy";
  if (plan.isMarked || dialects.adapters.length > 0)
    for (const adapter of dialects.correcting) role = adapter.role?.(facts, role) ?? role;
  return role;
}

/** Matches names of spans that only prepare a prompt, although they look like model calls. */
const preparing = /(?:^|[._ ])_?prepare_|PromptBuilder|PromptTemplate/;
const isPreparing = remembered((name) => preparing.test(name));

const isBeside = remembered((name) =>
  /(?:^|[._ -])(?:hooks?|permission|approval|blocked_on_user|format(?:ter)?)$/i.test(name),
);

/** Span names of OpenTelemetry's conventions, which any producer may use. */
const conventionalNames: readonly NameRule[] = [
  { pattern: /^execute_tool /, role: "tool" },
  { pattern: /^invoke_agent\b/, role: "agent" },
  { pattern: /^invoke_workflow\b/, role: "workflow" },
  { pattern: /^create_agent\b/, role: "setup" },
  { pattern: /^hand-?off to \S/i, role: "handoff" },
];
const conventionalRole = remembered((name) => roleByName(name, conventionalNames));

/** Whether the name decides the role for any producer, without attributes. */
export function isTellingName(name: string, table: FieldTable): boolean {
  return conventionalRole(name) !== null || table.roleOfOwnName(name) !== null;
}

function byAttribute(facts: SpanFacts): SpanRole | undefined {
  let first: SpanRole | undefined;
  /** A kind that no table lists, such as `model_request`, is interpreted by its words, like undeclared attributes. */
  let unlisted: SpanRole | undefined;
  for (const { place, values } of facts.plan.roles) {
    const value = facts.rawAt(place);
    if (typeof value !== "string") continue;
    const role = values.get(value) ?? values.get(value.toLowerCase());
    // Another layer may have added its own kind to a model call. The span of a tool or agent can have the same values, but not the name.
    const isNamedCall = role === "call" && facts.span.name.startsWith(`${value} `);
    if (isNamedCall && facts.responseId !== null && facts.inputTokens !== null) return role;
    first ??= role;
    if (role === undefined) unlisted ??= roleEnding(value);
  }
  return first ?? unlisted;
}

function byContent(facts: SpanFacts): SpanRole {
  return facts.isInferred ? roleByContent(facts, facts.plan.isInfrastructure) : facts.plan.content;
}

/** Whether the span's name or an undeclared kind means an agent. The model and counts of such a span are those of a complete run. */
function isNamedAgent(facts: SpanFacts): boolean {
  if (roleEnding(facts.span.name) === "agent") return true;
  const { inferred } = facts.plan;
  for (let at = 0; at < inferred.length; at += 2) {
    const value = inferred[at + 1] === KIND ? facts.rawAt(inferred[at] as number) : undefined;
    if (typeof value === "string" && roleEnding(value) === "agent") return true;
  }
  return false;
}

/** Whether the span lacks fields of its role, so that undeclared attributes are read, too. */
function lacks(facts: SpanFacts, role: SpanRole): boolean {
  if (facts.isInferred ? lacksFields(facts, role) : facts.plan.lacks(role)) return true;
  return (role === "tool" && facts.tool === null) || (role === "agent" && facts.agent === null);
}

/**
 * Fills fields without a declared attribute by inference, once, before any field is read.
 * @returns the role that an attribute's value names; undefined if there is none
 */
function infer(facts: SpanFacts, table: FieldTable, role: SpanRole, hasMore: boolean): SpanRole | undefined {
  if (!ruleIsOn("inference")) return undefined;
  const { inferred } = facts.plan;
  let kind: SpanRole | undefined;
  let isChanged = false;
  if (!facts.plan.isInfrastructure)
    for (let at = 0; at < inferred.length; at += 2) {
      const source = inferred[at] as number;
      const meaning = inferred[at + 1] as number;
      const value = facts.rawAt(source);
      if (meaning === KIND) {
        // Only the word before the first blank names the kind. In `ai.generateText my-agent`, the rest is the agent's name.
        kind = nearer(kind, typeof value === "string" ? roleNamed(value.split(" ", 1)[0] ?? "") : undefined);
        continue;
      }
      if (!mayBe(meaning, value)) continue;
      facts.infer(meaning, source);
      isChanged = true;
    }
  if (hasMore && ruleIsOn("events") && inferFromEvents(facts, table, role)) isChanged = true;
  if (isChanged) facts.readScalars();
  return kind;
}

/**
 * Returns the narrower of two roles, because spans often have attributes of their surroundings: a tool has its agent's,
 * an agent its workflow's.
 */
function nearer(one: SpanRole | undefined, other: SpanRole | undefined): SpanRole | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return wide.indexOf(other) < wide.indexOf(one) ? other : one;
}

/** Roles of spans that enclose other spans, narrowest first. */
const wide: readonly SpanRole[] = ["agent", "workflow", "step", "session"];

/** Returns the role of a span whose kind neither an attribute nor a dialect gives, inferred from its fields and its name. */
function byLooks(facts: SpanFacts): SpanRole {
  const { span } = facts;
  const named = roleNamed(span.name);
  const content = facts.isInferred ? byContent(facts) : "unknown";
  if (content === "call" && (named === "embedding" || named === "reranker")) return named;
  if (content !== "unknown") return content;
  const model = facts.requestModel ?? facts.responseModel;
  if (model !== null && named === "call") return /embed/i.test(model) ? "embedding" : "call";
  if (!facts.isInferred) return "unknown";
  if (
    named === "call" &&
    (facts.hasField(F.inputTokens) || facts.hasField(F.model) || facts.hasField(F.inputMessages))
  )
    return "call";
  const hasInput = facts.hasField(F.input);
  const hasOutput = facts.hasField(F.output);
  if (
    named === "tool" &&
    (facts.hasField(F.arguments) || facts.hasField(F.result) || (hasInput && hasOutput))
  )
    return "tool";
  if (named === "agent" || named === "workflow" || named === "retriever") return named;
  return hasInput || hasOutput ? "step" : "unknown";
}
