import type { JsonValue } from "../../model/json.ts";
import type { SourceLine } from "../../model/source-line.ts";
import type { AttributesView, LogView } from "../../model/telemetry/span-view.ts";
import { AttributeSet } from "../attributes/attribute-set.ts";
import { attributeAt, type Batch, logAt, scopeAt } from "./batch.ts";
import { LogColumn, ScopeColumn } from "./columns.ts";
import { eventNameOf } from "./event-name.ts";
import type { Place } from "./place.ts";
import { viewResource } from "./span-view.ts";
import { hexAt, millisecondsAt, textAt } from "../bytes/text.ts";
import { decodeValue } from "../attributes/values.ts";

export function viewLog(batch: Batch, row: number): LogView {
  return new LogRow(batch, logAt(batch, row));
}

/** Returns the place of the view's row; undefined if the view is not a row of a batch. */
export function placeOfLog(view: LogView): Place | undefined {
  return view instanceof LogRow ? view.place : undefined;
}

/** Returns the size of the record as sent, in bytes; 0 if the view is not a row of a batch. */
export function bytesOfLog(view: LogView): number {
  const place = placeOfLog(view);
  return place === undefined ? 0 : (place.batch.rows[place.at + LogColumn.bytes + 1] ?? 0);
}

class LogRow extends AttributeSet implements LogView {
  private readonly at: number;
  private resourceView: AttributesView | undefined;
  private decodedBody: JsonValue | undefined;

  constructor(batch: Batch, at: number) {
    const first = at + LogColumn.attributes;
    super(batch, attributeAt(batch, batch.rows[first] as number), batch.rows[first + 1] as number);
    this.at = at;
  }

  get place(): Place {
    return { batch: this.batch, at: this.at };
  }

  get source(): SourceLine | undefined {
    return this.batch.origin;
  }

  get eventName(): string {
    return eventNameOf(textAt(this.batch, this.at + LogColumn.eventName), this);
  }

  get body(): JsonValue | undefined {
    const at = this.at + LogColumn.body;
    return (this.decodedBody ??= decodeValue(this.batch, this.batch.rows[at] ?? 0, at + 1));
  }

  get severityNumber(): number {
    return this.int(LogColumn.severity);
  }

  get droppedAttributes(): number {
    return this.int(LogColumn.droppedAttributes) >>> 0;
  }

  get timeUnixMs(): number {
    return millisecondsAt(this.batch.rows, this.at + LogColumn.time);
  }

  get spanId(): string | undefined {
    const at = this.at + LogColumn.spanId;
    if (this.int(LogColumn.spanId) === 0 && this.batch.rows[at + 1] === 0) return undefined;
    return hexAt(this.batch.rows, at, 2);
  }

  get resource(): AttributesView {
    return (this.resourceView ??= viewResource(this.batch, this.int(LogColumn.scope)));
  }

  get scopeName(): string {
    return textAt(this.batch, scopeAt(this.batch, this.int(LogColumn.scope)) + ScopeColumn.name);
  }

  private int(column: number): number {
    return this.batch.rows[this.at + column] as number;
  }
}
