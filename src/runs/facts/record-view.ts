import type { JsonValue } from "../../model/json.ts";
import type { AttributeKey } from "../../model/telemetry/attribute-key.ts";
import type { SourceLine } from "../../model/source-line.ts";
import type { KeyLayout } from "../../model/telemetry/key-layout.ts";
import type {
  AttributesView,
  AttributeTree,
  EventView,
  LinkView,
  LogView,
  SpanView,
  TextBytes,
} from "../../model/telemetry/span-view.ts";

export const noAttributes: AttributesView = {
  size: 0,
  has: () => false,
  text: () => undefined,
  number: () => undefined,
  boolean: () => undefined,
  value: () => undefined,
  json: () => undefined,
  eachKey: () => {},
  keys: () => [],
  named: () => undefined,
  nameAt: () => "",
  valueAt: () => undefined,
  tree: () => undefined,
};

const noEvents: readonly EventView[] = [];
const noLinks: readonly LinkView[] = [];
const noLogs: readonly LogView[] = [];

/** An event or log record in the form of a span, with the record's attributes. The duration is 0 unless an attribute states one. */
export class RecordView implements SpanView {
  readonly size: number;
  readonly layout: KeyLayout | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly scopeName: string;
  readonly source: SourceLine | undefined;
  readonly resource: AttributesView;
  readonly name: string;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly parentSpanId = undefined;
  readonly kind = 0;
  readonly status = 0;
  readonly statusMessage = "";
  readonly scopeVersion = "";
  readonly events = noEvents;
  readonly links = noLinks;
  readonly logs = noLogs;
  readonly droppedAttributes: number;
  readonly #view: AttributesView;

  /**
   * @param host the span that has the record; the record itself if it has no span
   * @param startUnixMs start of the described work, if it began before the record was written
   */
  constructor(
    view: AttributesView,
    name: string,
    host: Pick<SpanView, "traceId" | "spanId" | "scopeName" | "resource" | "source">,
    endUnixMs: number,
    startUnixMs = endUnixMs,
    droppedAttributes = 0,
  ) {
    this.droppedAttributes = droppedAttributes;
    this.#view = view;
    this.size = view.size;
    this.layout = view.layout;
    this.traceId = host.traceId;
    this.spanId = host.spanId;
    this.scopeName = host.scopeName;
    this.resource = host.resource;
    this.source = host.source;
    this.name = name;
    this.startUnixMs = startUnixMs;
    this.endUnixMs = endUnixMs;
  }

  get hasEnd(): boolean {
    return true;
  }

  get startUnixNano(): bigint {
    return inMicroseconds(this.startUnixMs);
  }

  get endUnixNano(): bigint {
    return inMicroseconds(this.endUnixMs);
  }

  has(key: AttributeKey): boolean {
    return this.#view.has(key);
  }

  text(key: AttributeKey): string | undefined {
    return this.#view.text(key);
  }

  number(key: AttributeKey): number | undefined {
    return this.#view.number(key);
  }

  boolean(key: AttributeKey): boolean | undefined {
    return this.#view.boolean(key);
  }

  value(key: AttributeKey): JsonValue | undefined {
    return this.#view.value(key);
  }

  json(key: AttributeKey): JsonValue | undefined {
    return this.#view.json(key);
  }

  eachKey(visit: (key: AttributeKey) => void): void {
    this.#view.eachKey(visit);
  }

  keys(): readonly string[] {
    return this.#view.keys();
  }

  named(name: string): JsonValue | undefined {
    return this.#view.named(name);
  }

  nameAt(place: number): string {
    return this.#view.nameAt(place);
  }

  valueAt(place: number): JsonValue | undefined {
    return this.#view.valueAt(place);
  }

  textBytes(key: AttributeKey): TextBytes | undefined {
    return this.#view.textBytes?.(key);
  }

  textBytesAt(place: number): TextBytes | undefined {
    return this.#view.textBytesAt?.(place);
  }

  tree(prefix: string, like?: AttributeTree): JsonValue | undefined {
    return this.#view.tree(prefix, like);
  }
}

/** Converts milliseconds since 1970 to nanoseconds, rounded to microseconds, because a double of this size is not more precise. */
function inMicroseconds(unixMs: number): bigint {
  return BigInt(Math.round(unixMs * 1e3)) * 1000n;
}
