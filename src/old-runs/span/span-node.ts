import type { JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { Field } from "../../../adapters/field-names.ts";
import { inputsOf, outputsOf } from "./read-contents.ts";
import { type Attached, readAttached } from "./read-events.ts";
import { agentNameOf } from "./agent-name.ts";
import { failureOf } from "./read-failure.ts";
import { readTool, type ToolSpanValues } from "./read-tool.ts";
import { undeclaredCounts } from "../undeclared/undeclared-events.ts";
import { type TokenCounts, findCounts, readCounts } from "./read-usage.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import type { FieldReader, SpanReading } from "./span-reading.ts";
import type { SpanSource } from "./span-source.ts";

const noChildren: readonly SpanNode[] = [];

/** One span of a trace with its dialect removed. Nothing is read before it is asked for; what was read is kept. */
export class SpanNode implements SpanSource {
  readonly reading: SpanReading;
  readonly role: SpanRole;
  readonly start: number;
  readonly end: number;
  /** Nearest span above that is no copy. */
  parent: SpanNode | undefined;
  /** Its own parent is among the spans that came, be it a copy or not. */
  parentCame = false;
  children: readonly SpanNode[] = noChildren;
  readonly #reader: FieldReader;
  #attached: Attached | undefined;
  #inputs: readonly Message[] | undefined;
  #outputs: readonly Message[] | undefined;
  #counts: TokenCounts | undefined;
  #failure: string | null | undefined;
  #agentName: string | null | undefined;
  #tool: ToolSpanValues | undefined;
  readonly #hasAttachments: boolean;

  constructor(reading: SpanReading, role: SpanRole, reader: FieldReader) {
    this.reading = reading;
    this.role = role;
    this.start = reading.span.startUnixMs;
    this.end = reading.span.endUnixMs;
    this.#reader = reader;
    this.#hasAttachments = reading.span.events.length > 0 || reading.span.logs.length > 0;
  }

  get span(): SpanView {
    return this.reading.span;
  }

  get attached(): Attached {
    return (this.#attached ??= readAttached(this.span, this.#reader));
  }

  /** Messages that went in. */
  get inputs(): readonly Message[] {
    return (this.#inputs ??= inputsOf(this.reading, this.attached));
  }

  /** Messages that came out. */
  get outputs(): readonly Message[] {
    return (this.#outputs ??= outputsOf(this.reading, this.attached));
  }

  get failure(): string | null {
    if (this.#failure === undefined) this.#failure = failureOf(this.reading);
    return this.#failure;
  }

  /** Token counts as the producer gave them. */
  get counts(): TokenCounts {
    return (this.#counts ??= countsOf(this));
  }

  /** The agent that the span names; undefined where it names none. */
  get agentName(): string | undefined {
    if (this.#agentName === undefined) this.#agentName = agentNameOf(this) ?? null;
    return this.#agentName ?? undefined;
  }

  /** What a tool's span says of its call. */
  get tool(): ToolSpanValues {
    return (this.#tool ??= readTool(this));
  }

  /** Adds a span right below. */
  adopt(child: SpanNode): void {
    if (this.children === noChildren) this.children = [child];
    else (this.children as SpanNode[]).push(child);
  }

  has(field: Field): boolean {
    return (
      this.reading.has(field) ||
      (this.#hasAttachments && this.attached.readings.some((one) => one.has(field)))
    );
  }

  /** A field's text: from the span's attributes, else from its events and log records. */
  text(field: Field): string | undefined {
    const own = this.reading.text(field);
    if (own !== undefined || !this.#hasAttachments) return own;
    for (const reading of this.attached.readings) {
      const text = reading.text(field);
      if (text !== undefined) return text;
    }
    const body = this.#body(field);
    return typeof body === "string" ? body : undefined;
  }

  number(field: Field): number | undefined {
    const own = this.reading.number(field);
    if (own !== undefined || !this.#hasAttachments) return own;
    for (const reading of this.attached.readings) {
      const number = reading.number(field);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  json(field: Field): JsonValue | undefined {
    const own = this.reading.json(field);
    if (own !== undefined || !this.#hasAttachments) return own;
    for (const reading of this.attached.readings) {
      const value = reading.json(field);
      if (value !== undefined) return value;
    }
    return this.#body(field);
  }

  #body(field: Field): JsonValue | undefined {
    return this.attached.bodies.find((one) => one.field === field)?.value;
  }
}

function countsOf(node: SpanNode): TokenCounts {
  const counts: TokenCounts = {
    input: node.number("inputTokens"),
    output: node.number("outputTokens"),
    total: node.number("totalTokens"),
    cached: node.number("cachedTokens"),
    cacheWrite: node.number("cacheWriteTokens"),
    reasoning: node.number("reasoningTokens"),
  };
  if (node.role === "call" && !node.reading.has("usage") && lacksParts(counts)) {
    if (node.reading.infer() !== undefined) fill(counts, inferredCounts(node));
  }
  if (node.reading.has("usage")) fill(counts, readCounts(node.json("usage")));
  if (node.role === "call" && counts.input === undefined && counts.output === undefined) {
    fill(counts, findCounts(node.json("output")) ?? findCounts(node.json("metadata")) ?? {});
  }
  if (node.role === "call" && node.span.logs.length > 0) fill(counts, node.attached.counts ?? {});
  if (node.role === "call" && node.span.events.length > 0 && counts.input === undefined)
    fill(counts, undeclaredCounts(node.attached.uncorrelated));
  if (counts.cacheWrite !== undefined) counts.longCacheWrite ??= node.number("longCacheWriteTokens");
  return counts;
}

/** Some part of the counts may stand under a name that nobody declared. */
function lacksParts({ input, output, cached, reasoning }: TokenCounts): boolean {
  return input === undefined || output === undefined || cached === undefined || reasoning === undefined;
}

function fill(counts: TokenCounts, more: TokenCounts): void {
  counts.input ??= more.input;
  counts.output ??= more.output;
  counts.total ??= more.total;
  counts.cached ??= more.cached;
  counts.cacheWrite ??= more.cacheWrite;
  counts.shortCacheWrite ??= more.shortCacheWrite;
  counts.longCacheWrite ??= more.longCacheWrite;
  counts.reasoning ??= more.reasoning;
}

function inferredCounts({ reading }: SpanNode): TokenCounts {
  return {
    input: reading.number("inputTokens"),
    output: reading.number("outputTokens"),
    total: reading.number("totalTokens"),
    cached: reading.number("cachedTokens"),
    cacheWrite: reading.number("cacheWriteTokens"),
    reasoning: reading.number("reasoningTokens"),
  };
}
