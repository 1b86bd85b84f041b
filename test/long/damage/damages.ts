import type { ExportRequest, Json } from "../../../bench/data/real/recordings.ts";
import { below, type Random } from "../../fuzz/chance.ts";

/** One change of a recording. */
export interface Damage {
  /** Operation and kind of the changed item, for example `remove attribute`. */
  readonly kind: string;
  /** Key or name of the changed item. */
  readonly what: string;
  readonly requests: readonly ExportRequest[];
}

interface Part {
  readonly kind: "attribute" | "event" | "span" | "log record";
  readonly what: string;
  /** The list that contains the item; `at` is its index. */
  readonly list: UncorrelatedRecord[];
  readonly at: number;
}

/** Mutable JSON. */
type UncorrelatedRecord = Record<string, unknown>;

/** A word that has no meaning and is in no table of the reader. */
const unknownWord = "qorvex";

const operations = ["remove", "rename", "truncate"] as const;

/** Removes, renames or truncates one attribute, event, span or log record. Undefined if the operation changes nothing. */
export function damaged(requests: readonly ExportRequest[], random: Random): Damage | undefined {
  const copies = structuredClone(requests) as ExportRequest[];
  const parts = copies.flatMap(({ document }) => partsOf(document));
  const kinds = [...new Set(parts.map(({ kind }) => kind))];
  // Attributes are by far the most frequent items. They get half of the changes; the other kinds share the other half.
  const others = kinds.filter((kind) => kind !== "attribute");
  const kind = random() < 0.5 ? "attribute" : others[below(others.length, random)];
  const fitting = parts.filter((part) => part.kind === kind);
  const part = fitting[below(fitting.length, random)];
  const operation = operations[below(operations.length, random)] ?? "remove";
  if (part === undefined || !change(part, operation)) return undefined;
  return { kind: `${operation} ${part.kind}`, what: part.what, requests: copies };
}

function change(part: Part, operation: (typeof operations)[number]): boolean {
  const item = part.list[part.at] as UncorrelatedRecord;
  if (operation === "remove") return part.list.splice(part.at, 1).length > 0;
  return operation === "rename" ? rename(part.kind, item) : truncate(item);
}

function rename(kind: Part["kind"], item: UncorrelatedRecord): boolean {
  const key = kind === "attribute" ? "key" : kind === "log record" ? "eventName" : "name";
  const name = item[key];
  if (typeof name !== "string" || name === "") return false;
  item[key] = name.replace(/[^.:/_ ]+$/, unknownWord);
  return item[key] !== name;
}

/** A text loses its second half. A span, event or log record loses the second half of its attributes, as with a limit on their number. */
function truncate(item: UncorrelatedRecord): boolean {
  const value = (item["value"] ?? item["body"]) as UncorrelatedRecord | undefined;
  const text = value?.["stringValue"];
  if (value !== undefined && typeof text === "string" && text.length > 1) {
    value["stringValue"] = text.slice(0, Math.floor(text.length / 2));
    return true;
  }
  const attributes = item["attributes"];
  if (!Array.isArray(attributes) || attributes.length < 2) return false;
  attributes.splice(Math.ceil(attributes.length / 2));
  return true;
}

function partsOf(document: Json): Part[] {
  return [
    ...lists(document, "resourceSpans").flatMap((resource) => [
      ...attributesOf(resource["resource"]),
      ...lists(resource, "scopeSpans").flatMap((scope) => spansOf(lists(scope, "spans"))),
    ]),
    ...lists(document, "resourceLogs").flatMap((resource) =>
      lists(resource, "scopeLogs").flatMap((scope) => logRecordsOf(lists(scope, "logRecords"))),
    ),
  ];
}

function spansOf(spans: UncorrelatedRecord[]): Part[] {
  return spans.flatMap((span, at): Part[] => [
    { kind: "span", what: nameOf(span["name"]), list: spans, at },
    ...attributesOf(span),
    ...lists(span, "events").flatMap((event, place, events): Part[] => [
      { kind: "event", what: nameOf(event["name"]), list: events, at: place },
      ...attributesOf(event),
    ]),
  ]);
}

function logRecordsOf(records: UncorrelatedRecord[]): Part[] {
  return records.flatMap((record, at): Part[] => [
    { kind: "log record", what: nameOf(record["eventName"]), list: records, at },
    ...attributesOf(record),
  ]);
}

function attributesOf(holder: unknown): Part[] {
  const attributes = lists(holder as UncorrelatedRecord, "attributes");
  return attributes.map((one, at) => ({ kind: "attribute", what: nameOf(one["key"]), list: attributes, at }));
}

function lists(holder: Json | undefined, key: string): UncorrelatedRecord[] {
  return (holder?.[key] ?? []) as UncorrelatedRecord[];
}

function nameOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
