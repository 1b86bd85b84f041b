import type { JsonValue } from "../../model/json.ts";
import type { SpanView } from "../../model/span-view.ts";
import type { Adapter } from "../adapter.ts";
import type { Dialects } from "../dialects.ts";
import type { FieldLayout } from "../field-layout.ts";
import { type Field, fieldIndex, fieldNames } from "../fields.ts";
import { wordsIn } from "../messages/glance.ts";
import { Piece } from "../piece.ts";
import type { FieldReader } from "../span-reading.ts";

export type PlainRole = "call" | "tool" | "agent";

const AGENT = fieldIndex("agent");

/**
 * A span of an orderly run. Its fields are read straight from its attributes where nothing else can hold any, which is nearly always;
 * else as any other piece's.
 */
export class PlainSpan {
  readonly span: SpanView;
  readonly role: PlainRole;
  readonly start: number;
  readonly end: number;
  protected readonly layout: FieldLayout;
  /** Nothing hangs on it, and no field of it is made up from others. */
  readonly isBare: boolean;
  readonly #dialects: Dialects;
  readonly #reader: FieldReader;
  #piece: Piece | undefined;

  constructor(span: SpanView, role: PlainRole, layout: FieldLayout, dialects: Dialects, reader: FieldReader) {
    this.span = span;
    this.role = role;
    this.start = span.startUnixMs;
    this.end = span.endUnixMs;
    this.layout = layout;
    this.isBare = !dialects.hasDerived && span.events.length === 0 && span.logs.length === 0;
    this.#dialects = dialects;
    this.#reader = reader;
  }

  /** The same span by itself, as it is read elsewhere: with nothing above or below it. */
  get piece(): Piece {
    return (this.#piece ??= new Piece(this.#reader.read(this.span), this.role, this.#reader));
  }

  get adapters(): readonly Adapter[] {
    return this.#dialects.adapters;
  }

  /** Some field of it is made up from others. */
  get hasDerived(): boolean {
    return this.#dialects.hasDerived;
  }

  /** Its producer leaves tokens out of its counts. */
  get hasHabits(): boolean {
    return this.#dialects.withHabits.length > 0;
  }

  /** What went wrong, as its status tells; an orderly span has no other mark of it. */
  get failure(): string | null {
    return this.span.status === FAILED ? this.piece.failure : null;
  }

  /** The name of the agent at work, as it stands there. */
  get agent(): string | undefined {
    return this.text(AGENT);
  }

  /** `field`: its index, as in what follows. */
  has(field: number): boolean {
    return this.layout.has(field) || (!this.isBare && this.piece.has(fieldOf(field)));
  }

  isSingle(field: number): boolean {
    return this.layout.isSingle(field, this.span);
  }

  text(field: number): string | undefined {
    return this.isBare ? this.layout.text(field, this.span) : this.piece.text(fieldOf(field));
  }

  /** The words of its messages, where they are one message of `role`'s and a look tells them; else they have to be read. */
  words(field: number, role: "user" | "assistant"): string | undefined {
    const text = this.isBare ? this.text(field) : undefined;
    return text === undefined ? undefined : wordsIn(text, role);
  }

  json(field: Field): JsonValue | undefined {
    return this.isBare ? this.#reader.attributes(this.span).json(field) : this.piece.json(field);
  }

  number(field: number): number | undefined {
    return this.isBare ? this.layout.number(field, this.span) : this.piece.number(fieldOf(field));
  }

  /** Attributes that no adapter claims look as if they held something. */
  get hasGuesses(): boolean {
    return this.layout.hasGuesses(this.span);
  }
}

const FAILED = 2;

function fieldOf(index: number): Field {
  return fieldNames[index] as Field;
}
