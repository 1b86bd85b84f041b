import type { SourceLine } from "../../model/source-line.ts";
import type {
  AttributesView,
  EventView,
  LinkView,
  LogView,
  SpanView,
} from "../../model/telemetry/span-view.ts";
import { AttributeSet } from "../attributes/attribute-set.ts";
import {
  attributeAt,
  type Batch,
  eventAt,
  eventAttributeAt,
  linkAt,
  rareAt,
  resourceAt,
  scopeAt,
  spanAt,
} from "./batch.ts";
import { EventColumn, LinkColumn, RareColumn, ResourceColumn, ScopeColumn, SpanColumn } from "./columns.ts";
import { eventNameOf } from "./event-name.ts";
import type { Place } from "./place.ts";
import { hexAt, millisecondsAt, nanosecondsAt, textAt } from "../bytes/text.ts";

/**
 * Returns a span row as a view for adapters.
 * @param logs log records with the span's id, in time order
 * @param traceId trace id in hex; pass the same string object for all views of a trace
 */
export function viewSpan(
  batch: Batch,
  row: number,
  logs: readonly LogView[],
  traceId = traceIdAt(batch, row),
): SpanView {
  return new SpanRow(batch, spanAt(row), logs, traceId);
}

function traceIdAt({ rows }: Batch, row: number): string {
  return hexAt(rows, spanAt(row) + SpanColumn.traceId, 4);
}

/** Returns the place of the view's row; undefined if the view is not a row of a batch. */
export function placeOfSpan(view: SpanView): Place | undefined {
  return view instanceof SpanRow ? view.place : undefined;
}

/** Returns the size of the span in the body, in bytes; 0 if the view is not a row of a batch. */
export function bytesOfSpan(view: SpanView): number {
  const place = placeOfSpan(view);
  return place === undefined ? 0 : (place.batch.rows[place.at + SpanColumn.bytes + 1] ?? 0);
}

/** Measured memory of the objects that a run creates for a span, in bytes. */
const OBJECTS_BYTES = 2_000;
/** Factor for the body's bytes: a run retains the bodies of its spans, and in addition the values decoded from them. */
const COPIES = 2;

/** Returns the estimated memory of a span in a run, in bytes. */
export function memoryOfSpan(view: SpanView): number {
  return OBJECTS_BYTES + COPIES * bytesOfSpan(view);
}

/** Returns the attributes of the resource of a scope in the batch. */
export function viewResource(batch: Batch, scope: number): AttributesView {
  const { rows } = batch;
  const resource = rows[scopeAt(batch, scope) + ScopeColumn.resource] as number;
  const at = resourceAt(batch, resource) + ResourceColumn.attributes;
  return new AttributeSet(batch, attributeAt(batch, rows[at] as number), rows[at + 1] as number);
}

const noEvents: readonly EventView[] = [];
const noLinks: readonly LinkView[] = [];

class SpanRow extends AttributeSet implements SpanView {
  readonly logs: readonly LogView[];
  readonly traceId: string;
  private readonly at: number;
  private resourceView: AttributesView | undefined;
  private eventViews: readonly EventView[] | undefined;
  private id: string | undefined;
  private scopeText: string | undefined;

  constructor(batch: Batch, at: number, logs: readonly LogView[], traceId: string) {
    const first = at + SpanColumn.attributes;
    super(batch, attributeAt(batch, batch.rows[first] as number), batch.rows[first + 1] as number);
    this.at = at;
    this.logs = logs;
    this.traceId = traceId;
  }

  get source(): SourceLine | undefined {
    return this.batch.origin;
  }

  get place(): Place {
    return { batch: this.batch, at: this.at };
  }

  get spanId(): string {
    return (this.id ??= hexAt(this.batch.rows, this.at + SpanColumn.spanId, 2));
  }

  get flags(): number {
    return this.batch.rows[this.at + SpanColumn.flags] as number;
  }

  get parentSpanId(): string | undefined {
    const at = this.at + SpanColumn.parentSpanId;
    if (this.int(SpanColumn.parentSpanId) === 0 && this.batch.rows[at + 1] === 0) return undefined;
    return hexAt(this.batch.rows, at, 2);
  }

  get name(): string {
    return textAt(this.batch, this.at + SpanColumn.name);
  }

  get kind(): number {
    return this.int(SpanColumn.kind);
  }

  get status(): number {
    return this.int(SpanColumn.status);
  }

  get statusMessage(): string {
    return this.rare < 0 ? "" : textAt(this.batch, this.rare + RareColumn.statusMessage);
  }

  get startUnixMs(): number {
    return millisecondsAt(this.batch.rows, this.at + SpanColumn.start);
  }

  get endUnixMs(): number {
    return Math.max(this.startUnixMs, millisecondsAt(this.batch.rows, this.at + SpanColumn.end));
  }

  get hasEnd(): boolean {
    const { rows } = this.batch;
    return millisecondsAt(rows, this.at + SpanColumn.end) >= millisecondsAt(rows, this.at + SpanColumn.start);
  }

  get startUnixNano(): bigint {
    return nanosecondsAt(this.batch.rows, this.at + SpanColumn.start);
  }

  get endUnixNano(): bigint {
    const start = this.startUnixNano;
    const end = nanosecondsAt(this.batch.rows, this.at + SpanColumn.end);
    return end < start ? start : end;
  }

  get scopeName(): string {
    return (this.scopeText ??= textAt(this.batch, this.scope + ScopeColumn.name));
  }

  get scopeVersion(): string {
    return textAt(this.batch, this.scope + ScopeColumn.version);
  }

  get resource(): AttributesView {
    return (this.resourceView ??= viewResource(this.batch, this.int(SpanColumn.scope)));
  }

  /** Number of attributes, events and links that the sender dropped, or that the reader did not read. */
  get droppedAttributes(): number {
    return this.rareInt(RareColumn.droppedAttributes) >>> 0;
  }

  get events(): readonly EventView[] {
    const count = this.rareInt(RareColumn.events + 1);
    if (count === 0) return noEvents;
    return (this.eventViews ??= this.viewEvents(this.rareInt(RareColumn.events), count));
  }

  get links(): readonly LinkView[] {
    const length = this.rareInt(RareColumn.links + 1);
    if (length === 0) return noLinks;
    return Array.from({ length }, (_, i) => {
      const at = linkAt(this.batch, this.rareInt(RareColumn.links) + i);
      return {
        traceId: hexAt(this.batch.rows, at + LinkColumn.traceId, 4),
        spanId: hexAt(this.batch.rows, at + LinkColumn.spanId, 2),
      };
    });
  }

  private get scope(): number {
    return scopeAt(this.batch, this.int(SpanColumn.scope));
  }

  private int(column: number): number {
    return this.batch.rows[this.at + column] as number;
  }

  /** Position of the row with rare fields; -1 if there is none. */
  private get rare(): number {
    const index = this.int(SpanColumn.rare);
    return index < 0 ? -1 : rareAt(this.batch, index);
  }

  private viewEvents(first: number, count: number): EventView[] {
    const events: EventView[] = [];
    for (let row = first; row < first + count; row++)
      events.push(new EventRow(this.batch, eventAt(this.batch, row)));
    return events;
  }

  private rareInt(column: number): number {
    const at = this.rare;
    return at < 0 ? 0 : (this.batch.rows[at + column] as number);
  }
}

class EventRow extends AttributeSet implements EventView {
  private readonly at: number;

  constructor(batch: Batch, at: number) {
    const first = at + EventColumn.attributes;
    super(batch, eventAttributeAt(batch, batch.rows[first] as number), batch.rows[first + 1] as number);
    this.at = at;
  }

  get name(): string {
    return eventNameOf(textAt(this.batch, this.at + EventColumn.name), this);
  }

  get timeUnixMs(): number {
    return millisecondsAt(this.batch.rows, this.at + EventColumn.time);
  }
}
