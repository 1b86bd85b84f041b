import { RunQuantities } from "../../../evaluate/quantities/run-quantities.ts";
import { arrows, listed } from "../../../evaluate/rules/text.ts";
import type { AgentRun, ToolCall } from "../../../model/run.ts";
import type { Difference } from "./difference.ts";
import { deepEqual } from "../../../evaluate/metrics/sequences/deep-equal.ts";
import { isArray, isObject, type JsonValue } from "../../../model/json.ts";
import { valueSimilarity } from "./wording.ts";

/** Compares hand-offs, guardrails, available hand-off targets and retrieved documents of two runs. */
export function routingDifferences(before: AgentRun, after: AgentRun): readonly Difference[] {
  return [
    ...handoffs(before, after),
    ...guardrails(before, after),
    ...available(before, after),
    ...retrieved(before, after),
  ];
}

/** Values whose change is a difference of severity `error`. */
const decisive: readonly { readonly what: string; readonly isKnown: (run: AgentRun) => boolean }[] = [
  { what: "hand-offs", isKnown: (run) => !lacks(run, "handoffs") },
  { what: "guardrails", isKnown: knowsGuardrails },
  { what: "tools", isKnown: (run) => new RunQuantities(run).knownNames !== null },
];

/**
 * Returns the names of values that are known for the older run and unknown for the newer one, so that the newer run may be worse
 * unnoticed.
 */
export function lostValues(before: AgentRun, after: AgentRun): readonly string[] {
  return decisive.filter(({ isKnown }) => isKnown(before) && !isKnown(after)).map(({ what }) => what);
}

function knowsGuardrails({ guardrails: all }: AgentRun): boolean {
  return all.every(({ triggered }) => triggered !== null);
}

function handoffs(before: AgentRun, after: AgentRun): readonly Difference[] {
  if (lacks(before, "handoffs") || lacks(after, "handoffs")) return [];
  const old = before.handoffs.map(({ to }) => to);
  const now = after.handoffs.map(({ to }) => to);
  if (sameList(old, now)) return [];
  const message = `hand-offs: ${arrows(old)} before, ${arrows(now)} now`;
  return [{ type: "ROUTING_CHANGED", severity: "error", layer: "path", message, before: old, after: now }];
}

function guardrails(before: AgentRun, after: AgentRun): readonly Difference[] {
  if (!knowsGuardrails(before) || !knowsGuardrails(after)) return [];
  const triggered = ({ guardrails: all }: AgentRun): string[] =>
    sortedSet(all.filter((one) => one.triggered === true).map(({ name }) => name));
  const old = triggered(before);
  const now = triggered(after);
  if (sameList(old, now)) return [];
  const message = `guardrails triggered: ${listed(old)} before, ${listed(now)} now`;
  return [{ type: "GUARDRAILS_CHANGED", severity: "error", layer: "path", message, before: old, after: now }];
}

function available(before: AgentRun, after: AgentRun): readonly Difference[] {
  if (before.handoffsAvailable === null || after.handoffsAvailable === null) return [];
  const old = sortedSet(before.handoffsAvailable);
  const now = sortedSet(after.handoffsAvailable);
  if (sameList(old, now)) return [];
  const message = `available agents: ${listed(old)} before, ${listed(now)} now`;
  const type = "AVAILABLE_HANDOFFS_CHANGED";
  return [{ type, severity: "warn", layer: "path", message, before: old, after: now }];
}

function retrieved(before: AgentRun, after: AgentRun): readonly Difference[] {
  if (!knowsDocuments(before) || !knowsDocuments(after)) return [];
  const old = documentsOf(before);
  const now = documentsOf(after);
  if (sameList(old, now)) return [];
  const removed = old.filter((id) => !now.includes(id));
  const added = now.filter((id) => !old.includes(id));
  const parts = [
    removed.length > 0 ? `no longer ${listed(removed)}` : "",
    added.length > 0 ? `newly ${listed(added)}` : "",
  ];
  const message = `documents retrieved: ${parts.filter((part) => part !== "").join("; ")}`;
  return [{ type: "RETRIEVAL_CHANGED", severity: "warn", layer: "path", message, before: old, after: now }];
}

function knowsDocuments(run: AgentRun): boolean {
  const isWhole = run.retrievals.every(
    ({ isPartial, documents }) =>
      isPartial === undefined && documents.every(({ id, content }) => id !== null || content !== null),
  );
  return isWhole && !lacks(run, "retrievals");
}

const MARK = 40;

/**
 * Returns the ids of the retrieved documents. For a document without an id, returns the beginning of its
 * text.
 */
function documentsOf({ retrievals }: AgentRun): string[] {
  const documents = retrievals.flatMap((one) => one.documents);
  return sortedSet(documents.flatMap(({ id, content }) => id ?? content?.slice(0, MARK) ?? []));
}

/** Compares the names, the order and the arguments of the called tools. */
export function toolDifferences(before: AgentRun, after: AgentRun): readonly Difference[] {
  const left = new RunQuantities(before);
  const right = new RunQuantities(after);
  const old = left.knownNames;
  const now = right.knownNames;
  if (old === null || now === null) return [];
  return [...names(old, now), ...callArguments(left.used, right.used)];
}

function names(old: readonly string[], now: readonly string[]): readonly Difference[] {
  if (sameList(old, now)) return [];
  const common = { layer: "path", before: [...old], after: [...now] } as const;
  const removed = sortedSet(old).filter((name) => !now.includes(name));
  const added = sortedSet(now).filter((name) => !old.includes(name));
  if (removed.length + added.length === 0) {
    const message = `the same tools in another order or number: ${arrows(old)} before, ${arrows(now)} now`;
    return [{ type: "SEQUENCE_CHANGED", severity: "warn", message, ...common }];
  }
  const parts = [
    removed.length > 0 ? `no longer used: ${listed(removed)}` : "",
    added.length > 0 ? `newly used: ${listed(added)}` : "",
  ];
  const message = `tools ${parts.filter((part) => part !== "").join("; ")}`;
  return [{ type: "TOOLS_CHANGED", severity: "error", message, ...common }];
}

const MOST_CALLS = 20;

/**
 * Compares the n-th call of each tool in the older run with the n-th call of the same tool in the newer run.
 */
function callArguments(before: readonly ToolCall[], after: readonly ToolCall[]): readonly Difference[] {
  const seen = new Map<string, number>();
  const found: Difference[] = [];
  for (const call of before) {
    if (call.name === null || found.length >= MOST_CALLS) continue;
    const at = seen.get(call.name) ?? 0;
    seen.set(call.name, at + 1);
    const other = after.filter(({ name }) => name === call.name)[at];
    const changes = other === undefined ? [] : argumentChanges(call.arguments, other.arguments);
    if (changes.length === 0) continue;
    found.push({
      type: "ARGS_CHANGED",
      severity: "warn",
      layer: "path",
      message: `call ${at + 1} of ${call.name}: ${changes.map(changeText).join(", ")}`,
      before: call.arguments ?? null,
      after: other?.arguments ?? null,
      ...leastSimilarity(changes),
    });
  }
  return found;
}

function changeText({ argument, kind, similarity }: ArgumentChange): string {
  return `${argument} ${kind}${similarity === null ? "" : ` (similarity ${similarity.toFixed(2)})`}`;
}

function leastSimilarity(changes: readonly ArgumentChange[]): { readonly similarity?: number } {
  const known = changes.flatMap(({ similarity }) => similarity ?? []);
  return known.length === 0 ? {} : { similarity: Math.min(...known) };
}

function lacks(run: AgentRun, field: string): boolean {
  return run.missing.some(({ what }) => what === field);
}

function sortedSet(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

/** Difference of one argument between two calls of one tool. */
interface ArgumentChange {
  readonly argument: string;
  readonly kind: "missing" | "added" | "type changed" | "value changed";
  readonly similarity: number | null;
}

/**
 * Compares the arguments of two calls of one tool by name. Arguments that are not a JSON object are compared
 * as one value.
 */
export function argumentChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly ArgumentChange[] {
  if (before === undefined || after === undefined || deepEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [valueChange("(all)", before, after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort().flatMap((name) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (old === undefined) return now === undefined ? [] : [change(name, "added")];
    if (now === undefined) return [change(name, "missing")];
    return deepEqual(old, now) ? [] : [valueChange(name, old, now)];
  });
}

function valueChange(argument: string, before: JsonValue, after: JsonValue): ArgumentChange {
  if (kindOf(before) !== kindOf(after)) return change(argument, "type changed");
  return { argument, kind: "value changed", similarity: valueSimilarity(before, after) };
}

function change(argument: string, kind: ArgumentChange["kind"]): ArgumentChange {
  return { argument, kind, similarity: null };
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  return isArray(value) ? "array" : typeof value;
}
