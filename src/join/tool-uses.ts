import type { Call } from "../adapt/call.ts";
import { plainName } from "../adapt/messages/pick.ts";
import { isObject, type JsonValue } from "../model/json.ts";
import type { Asked } from "./asked.ts";
import { canonical } from "./canonical.ts";
import { OpenUses } from "./open-uses.ts";
import type { ToolSpan } from "./tool-spans.ts";

/** One use of a tool: as asked for by a model, as run in a span, or both. */
export interface ToolUse {
  readonly asked: Asked | undefined;
  readonly spans: ToolSpan[];
  /** When it was asked for, else when it began. */
  readonly at: number;
}

/** Ties what ran to what was asked for, and puts all in the model's order. */
export function matchUses(
  asked: readonly Asked[],
  spans: readonly ToolSpan[],
  calls: readonly Call[],
): ToolUse[] {
  const uses: ToolUse[] = asked.map((one) => ({ asked: one, spans: [], at: calls[one.call]?.start ?? 0 }));
  const left = addById(spans, uses);
  const mayResume = isOfSeveralTraces(spans);
  const open = new OpenUses(asked, (place) => uses[place]?.spans.length === 0, sameTool);
  const unmatched = left.filter((span) => {
    const use =
      uses[open.find(span.name, span.arguments) ?? -1] ?? (mayResume ? waiting(span, uses) : undefined);
    if (use !== undefined) addSpan(use, span);
    return use === undefined;
  });
  return mayResume ? withResumed(unmatched, uses) : withAlone(unmatched, uses);
}

/** Two spans of one id are one call: it waited for an approval. Gives those whose id nobody asked under. */
function addById(spans: readonly ToolSpan[], uses: readonly ToolUse[]): ToolSpan[] {
  const byId = new Map<string, ToolUse>();
  for (const use of uses) for (const id of use.asked?.ids ?? []) if (!byId.has(id)) byId.set(id, use);
  return spans.filter((span) => {
    const use = span.callId === undefined ? undefined : byId.get(span.callId);
    if (use !== undefined) addSpan(use, span);
    return use === undefined;
  });
}

/** Only then can an execution go on that stopped in an earlier trace. */
function isOfSeveralTraces(spans: readonly ToolSpan[]): boolean {
  const first = spans[0]?.pieces[0].span.traceId;
  return spans.some(({ pieces }) => pieces[0].span.traceId !== first);
}

/** An execution that stopped without a result, and the same again in a later trace: a person had to agree. */
function waiting(span: ToolSpan, uses: readonly ToolUse[]): ToolUse | undefined {
  return uses.find(({ spans }) => spans.some((other) => resumes(other, span) || resumes(span, other)));
}

function resumes(earlier: ToolSpan, later: ToolSpan): boolean {
  return (
    earlier.result === undefined &&
    earlier.error === null &&
    earlier.pieces[0].start < later.pieces[0].start &&
    earlier.pieces[0].span.traceId !== later.pieces[0].span.traceId &&
    sameTool(earlier.name, later.name) &&
    canonical(earlier.arguments) === canonical(later.arguments)
  );
}

function addSpan(use: ToolUse, span: ToolSpan): void {
  use.spans.push(span);
  use.spans.sort((a, b) => a.pieces[0].start - b.pieces[0].start);
}

/** Adds what nobody asked for: each before the first use that came later; several of one id are one. */
function withAlone(spans: readonly ToolSpan[], uses: readonly ToolUse[]): ToolUse[] {
  const byId = new Map<string | undefined, ToolUse>();
  for (const use of uses) {
    const id = use.spans[0]?.callId;
    if (id !== undefined && !byId.has(id)) byId.set(id, use);
  }
  const alone: ToolUse[] = [];
  for (const span of spans) {
    const same = span.callId === undefined ? undefined : byId.get(span.callId);
    if (same !== undefined) {
      addSpan(same, span);
      continue;
    }
    const use = { asked: undefined, spans: [span], at: span.pieces[0].start };
    alone.push(use);
    if (span.callId !== undefined) byId.set(span.callId, use);
  }
  return between(alone, uses);
}

/** `uses`, with each of the others before the first that came later. */
function between(others: readonly ToolUse[], uses: readonly ToolUse[]): ToolUse[] {
  if (others.length === 0) return [...uses];
  const sorted = others.toSorted((a, b) => a.at - b.at);
  const all: ToolUse[] = [];
  let next = 0;
  for (const use of uses) {
    for (let other = sorted[next]; other !== undefined && other.at < use.at; other = sorted[++next])
      all.push(other);
    all.push(use);
  }
  return [...all, ...sorted.slice(next)];
}

/** The same where one may go on that stopped in an earlier trace. */
function withResumed(spans: readonly ToolSpan[], uses: ToolUse[]): ToolUse[] {
  for (const span of spans) {
    const again = waiting(span, uses) ?? sameId(span, uses);
    if (again !== undefined) {
      addSpan(again, span);
      continue;
    }
    const at = span.pieces[0].start;
    const later = uses.findIndex((use) => use.at > at);
    uses.splice(later < 0 ? uses.length : later, 0, { asked: undefined, spans: [span], at });
  }
  return uses;
}

function sameId({ callId }: ToolSpan, uses: readonly ToolUse[]): ToolUse | undefined {
  return callId === undefined ? undefined : uses.find(({ spans }) => spans[0]?.callId === callId);
}

/** Names compare without separators; a server's or plugin's name may stand before the tool's. */
export function sameTool(a: string | null | undefined, b: string | null | undefined): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return false;
  const [x, y] = [plainName(a), plainName(b)];
  if (x === y) return true;
  return isSuffix(a, b) || isSuffix(b, a);
}

function isSuffix(whole: string, end: string): boolean {
  const at = whole.length - end.length;
  return at > 0 && whole.endsWith(end) && /[-_.:/]/.test(whole[at - 1] ?? "");
}

export function useName({ asked, spans }: ToolUse): string | null {
  return asked?.name ?? spans.find((span) => span.name !== undefined)?.name ?? null;
}

/** Streamed arguments often never reach the telemetry. */
function isEmpty(value: JsonValue): boolean {
  return value === "" || (isObject(value) && Object.keys(value).length === 0);
}

export function useArguments({ asked, spans }: ToolUse): JsonValue | undefined {
  return betterArguments(asked?.arguments, spans.find((span) => span.arguments !== undefined)?.arguments);
}

/** The model's own arguments where they are whole; a tool of one argument may show the bare value in its span. */
export function betterArguments(
  wanted: JsonValue | undefined,
  ran: JsonValue | undefined,
): JsonValue | undefined {
  if (wanted === undefined || (isEmpty(wanted) && ran !== undefined)) return ran ?? wanted;
  return isObject(wanted) || ran === undefined ? wanted : ran;
}
