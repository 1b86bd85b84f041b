import { askingScope } from "../../model/telemetry/own-scope.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Field, NameRule, SpanRole, SpanView } from "../../../adapters/adapter-type.ts";
import type { FieldLayout } from "../layout/field-layout.ts";
import { roleByName } from "../layout/dialects.ts";
import type { FieldTable } from "../layout/field-table.ts";
import { roleEnding, roleNamed } from "../undeclared/role-words.ts";
import type { SpanReading } from "./span-reading.ts";

/**
 * What a span is: by the most specific attribute that says so, else by its name where the dialect is known, else by what it
 * carries. The marked adapters may correct the result.
 */
export function classify(reading: SpanReading): SpanRole {
  if (reading.span.scopeName === askingScope) return "copy";
  let role = byAttribute(reading.span, reading.layout) ?? byName(reading) ?? byContent(reading);
  // What no adapter declares is read by its looks where no dialect is known, and where nothing is declared to be content.
  if (role !== "unknown" && (reading.dialects.marks.length === 0 || lacksContent(reading, role)))
    reading.infer();
  if (role === "unknown") role = byOwnName(reading) ?? byLooks(reading);
  if (role === "step" && ranTool(reading)) role = "tool";
  if (role === "call" && isPreparing(reading.span.name) && !reading.has("inputTokens")) role = "copy";
  if (role === "tool" && reading.dialects.isCopy(reading.span.name)) role = "copy";
  for (const adapter of reading.dialects.correcting) role = adapter.role?.(reading, role) ?? role;
  return role;
}

/** What is made ready for a model and shown as if it were its call. */
const preparing = /(?:^|[._ ])_?prepare_|PromptBuilder|PromptTemplate/;
const isPreparing = remembered((name) => preparing.test(name));

/** A step that names a tool and what it was given is that tool's. */
function ranTool(reading: SpanReading): boolean {
  if (!reading.has("tool")) return false;
  reading.infer();
  return reading.has("arguments");
}

function lacksContent(reading: SpanReading, role: SpanRole): boolean {
  return (role === "workflow" || role === "step") && !reading.has("input") && !reading.has("output");
}

function byAttribute(span: SpanView, { roleBits, table }: FieldLayout): SpanRole | undefined {
  const { roleSources } = table;
  /** Producers invent kinds of their own: `model_request` is read like a word that nobody declared. */
  let unlisted: SpanRole | undefined;
  for (let bits = roleBits, rank = 0; bits !== 0; bits >>>= 1, rank += 1) {
    if ((bits & 1) === 0) continue;
    const source = roleSources[rank];
    const value = source === undefined ? undefined : span.text(source.key);
    if (value === undefined) continue;
    const role = source?.roles.get(value) ?? source?.roles.get(value.toLowerCase());
    if (role !== undefined) return role;
    unlisted ??= roleEnding(value);
  }
  return unlisted;
}

/** Names that the conventions give to spans whatever the producer. */
const conventionalNames: readonly NameRule[] = [
  { pattern: /^execute_tool /, role: "tool" },
  { pattern: /^invoke_agent\b/, role: "agent" },
  { pattern: /^invoke_workflow\b/, role: "workflow" },
  { pattern: /^create_agent\b/, role: "setup" },
  { pattern: /^hand-?off to \S/i, role: "handoff" },
];

function byName(reading: SpanReading): SpanRole | undefined {
  const { name } = reading.span;
  return reading.dialects.roleOfName(name) ?? conventionalRole(name) ?? undefined;
}

const conventionalRole = remembered((name) => roleByName(name, conventionalNames));

function byOwnName({ span, table }: SpanReading): SpanRole | undefined {
  return table.roleOfOwnName(span.name) ?? undefined;
}

/** Whether a name alone tells what a span is, whoever wrote it. */
export function isTellingName(name: string, table: FieldTable): boolean {
  return conventionalRole(name) !== null || table.roleOfOwnName(name) !== null;
}

function byContent(reading: SpanReading): SpanRole {
  if (reading.has("handoffTo") || reading.has("handoffFrom")) return "handoff";
  if (reading.has("guardrail")) return "guardrail";
  const hasModel = reading.has("requestModel") || reading.has("responseModel") || reading.has("model");
  const hasUsage = reading.has("inputTokens") || reading.has("outputTokens") || reading.has("usage");
  const hasMessages = reading.has("inputMessages") || reading.has("outputMessages");
  if ((hasModel && (hasUsage || hasMessages)) || (hasUsage && hasMessages)) return "call";
  if (reading.has("tool") || reading.has("callId")) return "tool";
  if (reading.has("documents")) return "retriever";
  // Baggage puts the agent's name on each span below it, also on those of other work.
  if (reading.has("agent") && !reading.layout.isInfrastructure) return "agent";
  return "unknown";
}

/** Named after a model's work, and with the name of a model. */
function byModel(reading: SpanReading): SpanRole | undefined {
  const model = reading.text("requestModel") ?? reading.text("responseModel");
  if (model === undefined || roleNamed(reading.span.name) !== "call") return undefined;
  return /embed/i.test(model) ? "embedding" : "call";
}

/** A span of no known dialect: by the looks of its attributes' names and values, and of its own name. */
function byLooks(reading: SpanReading): SpanRole {
  const inferred = reading.infer();
  if (inferred === undefined) return byModel(reading) ?? "unknown";
  if (inferred.role !== undefined) return inferred.role;
  const content = byContent(reading);
  const named = roleNamed(reading.span.name);
  if (content === "call" && (named === "embedding" || named === "reranker")) return named;
  if (content !== "unknown") return content;
  const has = (field: Field) => inferred.fields.has(field);
  const ofModel = byModel(reading);
  if (ofModel !== undefined) return ofModel;
  if (named === "call" && (has("inputTokens") || has("model") || has("inputMessages"))) return "call";
  if (named === "tool" && (has("arguments") || has("result") || (has("input") && has("output"))))
    return "tool";
  if (named === "agent" || named === "workflow" || named === "retriever") return named;
  return has("input") || has("output") ? "step" : "unknown";
}
