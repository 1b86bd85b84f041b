import { documentId, documentNames, documentScore } from "../../model/document-names.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Retrieval, RetrievedDocument } from "../../model/run.ts";
import { conversationAttribute, recordingScope } from "../../model/telemetry/own-scope.ts";
import type { AttributesView, SpanView } from "../../model/telemetry/span-view.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isAbsentId } from "../notations/names.ts";
import { isOpen, unfold } from "../notations/parse-text.ts";
import { questionIn } from "../notations/words.ts";
import { sameAgent } from "../who/agent-name.ts";
import { targetOf } from "../who/handoff-target.ts";
import { definitionsIn } from "./exchange-parts.ts";
import type { KeptAttributes } from "./kept-attributes.ts";

const inMetadata = ["thread_id", "session_id", "conversation_id", "threadId", "sessionId"] as const;

/**
 * Returns the conversation id of a run; null if there is none. The sources, in order: the resource attribute that `test --exec` sets, a
 * producer's attribute, LangGraph's metadata, enclosing spans such as a session.
 */
export function conversationOf({ nodes, root }: Evidence): string | null {
  const given = root.span.resource.named(conversationAttribute);
  if (typeof given === "string") return given;
  for (const { conversation } of nodes) if (conversation !== null) return conversation;
  for (const node of nodes) {
    const metadata = node.valueAt(F.metadata);
    if (!isObject(metadata)) continue;
    for (const name of inMetadata) {
      const id = metadata[name];
      if (typeof id === "string" && !isAbsentId(id)) return id;
    }
  }
  for (let at = root.parent; at !== null; at = at.parent)
    if (at.conversation !== null) return at.conversation;
  return null;
}

/** Attributes to copy onto the run, from the resource, the root's ancestors, and the root. A later source replaces an earlier one. */
export function runAttributes(root: SpanFacts, kept: KeptAttributes): Map<string, JsonValue> {
  const spans: SpanView[] = [];
  for (let at: SpanFacts | null = root; at !== null; at = at.parent) spans.unshift(at.span);
  const found = new Map<string, JsonValue>();
  copy(root.span.resource, kept, found);
  for (const span of spans) copy(span, kept, found);
  return found;
}

function copy(view: AttributesView, kept: KeptAttributes, to: Map<string, JsonValue>): void {
  for (const name of kept.among(view)) {
    const value = view.named(name);
    if (value !== undefined) to.set(name, boundedAttribute(value));
  }
}

/** Maximum length of a copied attribute, in characters. Each run and verdict has its own copy, although many traces share one resource. */
const LONGEST_ATTRIBUTE = 4_096;

function boundedAttribute(value: JsonValue): JsonValue {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_ATTRIBUTE ? `${text.slice(0, LONGEST_ATTRIBUTE)}…` : value;
}

/** Documents and query of a retrieval span. */
export function retrievalOf(node: SpanFacts): Retrieval {
  const list = documentList(node.valueAt(F.documents) ?? node.valueAt(F.output));
  // A failed retrieval returned nothing.
  const isPartial = list === undefined ? node.failure === null : isOpen(list);
  return {
    spanId: node.span.spanId,
    query: node.textAt(F.retrievalQuery) ?? questionIn(node.valueAt(F.input)),
    documents: list?.flatMap(documentOf) ?? [],
    ...(isPartial ? { isPartial } : {}),
  };
}

/** Returns the list of documents in the value of a retrieval span; undefined if there is no list. */
function documentList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  const inner = value === undefined ? undefined : unfold(value);
  let list = inner;
  if (isObject(inner))
    for (const name of ["documents", "docs", "nodes", "results", "data", "output"]) {
      list = inner[name];
      if (list !== undefined && list !== null) break;
    }
  return isArray(list) ? list : undefined;
}

function documentOf(value: JsonValue): RetrievedDocument[] {
  const inner = unfold(value);
  if (typeof inner === "string") return [{ id: null, content: inner, score: null }];
  if (!isObject(inner)) return [];
  const core = [inner["document"], inner["node"], inner["kwargs"]].find(isObject) ?? inner;
  const id = documentId(core);
  const sources = documentNames(core).filter((name) => name !== id);
  return [
    {
      id,
      content: textIn(core, "content", "page_content", "pageContent", "text"),
      score: documentScore(inner) ?? documentScore(core),
      ...(sources.length === 0 ? {} : { sources }),
    },
  ];
}

function textIn(object: JsonObject, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

const speaksOfTransfer = /transfer|hand[_-]?off|handover|delegate|escalate/i;

/**
 * Returns the available hand-off targets: those that a producer lists, the targets of transfer tools among the models' tools, and the
 * targets of actual hand-offs. Null if neither a producer nor a tool list names targets, because further targets may exist.
 */
export function handoffsOffered(
  nodes: readonly SpanFacts[],
  handoffs: readonly { readonly to: string }[],
): readonly string[] | null {
  const offered = new Set<string>();
  const add = (name: string): void =>
    void offered.add(handoffs.find(({ to }) => sameAgent(to, name))?.to ?? name);
  /** Texts of tool definitions that were already read. Most calls repeat the same definitions. */
  const seen = new Set<string | null>();
  let isListed = false;
  for (const node of nodes) {
    const listed = namesIn(node.valueAt(F.handoffs));
    if (listed !== null) isListed = true;
    listed?.forEach(add);
    const text = node.textAt(F.toolDefinitions);
    if (text !== null && (seen.has(text) || !speaksOfTransfer.test(text))) continue;
    seen.add(text);
    for (const name of namesIn(node.valueAt(F.toolDefinitions)) ?? []) {
      const target = targetOf(name, undefined, () => undefined);
      if (target !== undefined && target !== "back") add(target.to);
    }
  }
  if (!isListed && offered.size === 0) return null;
  for (const { to } of handoffs) add(to);
  return [...offered];
}

/** Names in a list of agents or tools, as texts or objects; null if the value is not a list, or is truncated. */
function namesIn(value: JsonValue | undefined): readonly string[] | null {
  const list = value === undefined ? undefined : unfold(value);
  return isArray(list) && !isOpen(list)
    ? list.flatMap((item) => definitionsIn(item).map(({ name }) => name))
    : null;
}

/**
 * Returns the dialects of which the run's spans have markers. Spans of the model server count only if there are no other spans, so that a
 * run recorded through the server has the same dialects as without it.
 */
export function dialectsOf({ nodes }: Evidence): string[] {
  const own = dialectsIn(nodes.filter(({ span }) => span.scopeName !== recordingScope));
  return own.length > 0 ? own : dialectsIn(nodes);
}

function dialectsIn(nodes: Evidence["nodes"]): string[] {
  const found = new Set<string>();
  for (const { dialects, ownDialect } of nodes) {
    for (const { dialect } of dialects.adapters) found.add(dialect);
    if (ownDialect !== null) found.add(ownDialect);
  }
  return [...found];
}
