import type { EventForm, Group, LogForm, Pair, SpanForm, Value } from "./requests.ts";

/* Writes a request as OTLP/JSON in many legal or tolerated ways. */

export interface Style {
  /** Put between all tokens. */
  readonly space: string;
  /** Turns the members of every object around, so that values come before keys. */
  readonly reversed: boolean;
  readonly snakeCase: boolean;
  /** Writes the first letter of each name as a \u escape. */
  readonly escapedNames: boolean;
  /** Adds members nobody knows, and null for those that are absent. */
  readonly extras: boolean;
  /** 64-bit integers as bare numbers. */
  readonly bareIntegers: boolean;
  readonly upperCaseIds: boolean;
  /** Escapes every character of strings. */
  readonly escapedText: boolean;
  /** URL alphabet, no padding. */
  readonly urlBase64: boolean;
}

export const plain: Style = {
  space: "",
  reversed: false,
  snakeCase: false,
  escapedNames: false,
  extras: false,
  bareIntegers: false,
  upperCaseIds: false,
  escapedText: false,
  urlBase64: false,
};

type Members = readonly (readonly [string, string | undefined])[];

const EXTRAS: Members = [
  ["unknownThing", '{"a":[1,-2.5e3,true,null,"x\\n",{"b":[]}],"key":{}}'],
  ["", '"}]"'],
];

export class JsonWriter {
  private readonly style: Style;

  constructor(style: Style) {
    this.style = style;
  }

  traces(groups: readonly Group<SpanForm>[]): string {
    return this.object([
      [
        "resourceSpans",
        this.array(groups.map((group) => this.group(group, "scopeSpans", "spans", this.span))),
      ],
    ]);
  }

  logs(groups: readonly Group<LogForm>[]): string {
    return this.object([
      [
        "resourceLogs",
        this.array(groups.map((group) => this.group(group, "scopeLogs", "logRecords", this.log))),
      ],
    ]);
  }

  private group<T>(group: Group<T>, scopes: string, records: string, write: (record: T) => string): string {
    const scope = this.object([
      ["name", this.text(group.scope.name)],
      ["version", this.text(group.scope.version)],
    ]);
    const inner = this.object([
      ["scope", scope],
      [records, this.array(group.records.map(write))],
    ]);
    return this.object([
      ["resource", this.object([["attributes", this.pairs(group.resource)]])],
      [scopes, this.array([inner])],
    ]);
  }

  private readonly span = (span: SpanForm): string =>
    this.object([
      ["traceId", this.id(span.traceId)],
      ["spanId", this.id(span.spanId)],
      ["parentSpanId", span.parent.length === 0 ? undefined : this.id(span.parent)],
      ["flags", String(span.flags)],
      ["name", this.text(span.name)],
      ["kind", String(span.kind)],
      ["startTimeUnixNano", this.integer(span.start)],
      ["endTimeUnixNano", this.integer(span.end)],
      ["attributes", this.pairs(span.attributes)],
      ["droppedAttributesCount", String(span.dropped)],
      ["events", this.array(span.events.map((event) => this.event(event)))],
      [
        "links",
        this.array(
          span.links.map((link) =>
            this.object([
              ["traceId", this.id(link.traceId)],
              ["spanId", this.id(link.spanId)],
            ]),
          ),
        ),
      ],
      [
        "status",
        this.object([
          ["message", this.text(span.status.message)],
          ["code", String(span.status.code)],
        ]),
      ],
    ]);

  private event(event: EventForm): string {
    return this.object([
      ["timeUnixNano", this.integer(event.time)],
      ["name", this.text(event.name)],
      ["attributes", this.pairs(event.attributes)],
    ]);
  }

  private readonly log = (log: LogForm): string =>
    this.object([
      ["timeUnixNano", this.integer(log.time)],
      ["observedTimeUnixNano", this.integer(log.observed)],
      ["severityNumber", String(log.severity)],
      ["eventName", this.text(log.eventName)],
      ["body", this.value(log.body)],
      ["attributes", this.pairs(log.attributes)],
      ["traceId", this.id(log.traceId)],
      ["spanId", this.id(log.spanId)],
    ]);

  private pairs(pairs: readonly Pair[]): string {
    return this.array(
      pairs.map((pair) =>
        this.object([
          ["key", this.text(pair.key)],
          ["value", this.value(pair.value)],
        ]),
      ),
    );
  }

  private value(value: Value): string {
    return this.object(this.variant(value));
  }

  private variant(value: Value): Members {
    switch (value.kind) {
      case "empty":
        return [];
      case "string":
        return [["stringValue", this.text(value.value)]];
      case "bool":
        return [["boolValue", String(value.value)]];
      case "int":
        return [["intValue", this.integer(value.value)]];
      case "double":
        return [
          ["doubleValue", Number.isFinite(value.value) ? JSON.stringify(value.value) : `"${value.value}"`],
        ];
      case "bytes":
        return [
          [
            "bytesValue",
            `"${Buffer.from(value.value).toString(this.style.urlBase64 ? "base64url" : "base64")}"`,
          ],
        ];
      case "array":
        return [
          ["arrayValue", this.object([["values", this.array(value.value.map((item) => this.value(item)))]])],
        ];
      case "map":
        return [["kvlistValue", this.object([["values", this.pairs(value.value)]])]];
    }
  }

  private integer(value: bigint): string {
    return this.style.bareIntegers ? String(value) : `"${value}"`;
  }

  private id(bytes: Uint8Array): string {
    const hex = Buffer.from(bytes).toString("hex");
    return `"${this.style.upperCaseIds ? hex.toUpperCase() : hex}"`;
  }

  private text(text: string): string {
    if (!this.style.escapedText) return JSON.stringify(text);
    const units = Array.from({ length: text.length }, (_, i) => unicodeEscape(text.charCodeAt(i)));
    return `"${units.join("")}"`;
  }

  private object(members: Members): string {
    const { space, reversed, extras } = this.style;
    const all = extras
      ? [...EXTRAS, ...members.map(([name, value]) => [name, value ?? "null"] as const)]
      : members;
    const written = all
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${this.name(name)}${space}:${space}${value}`);
    if (reversed) written.reverse();
    return `{${space}${written.join(`${space},${space}`)}${space}}`;
  }

  private array(items: readonly string[]): string {
    const { space } = this.style;
    return `[${space}${items.join(`${space},${space}`)}${space}]`;
  }

  private name(name: string): string {
    const { snakeCase, escapedNames } = this.style;
    const cased = snakeCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
    if (!escapedNames || cased === "") return `"${cased}"`;
    return `"${unicodeEscape(cased.charCodeAt(0))}${cased.slice(1)}"`;
  }
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
