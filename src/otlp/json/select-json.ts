import type { Batch } from "../rows/batch.ts";
import type { Wanted } from "../protobuf/cut-protobuf.ts";
import { Field } from "./json-fields.ts";
import { JsonScanner } from "./json-scanner.ts";

const LEVELS: readonly ReadonlySet<number>[] = [
  new Set([Field.resourceSpans, Field.resourceLogs]),
  new Set([
    Field.scopeSpans,
    Field.scopeLogs,
    Field.instrumentationLibrarySpans,
    Field.instrumentationLibraryLogs,
  ]),
  new Set([Field.spans, Field.logRecords]),
];
const RECORD = LEVELS.length;

interface Selection {
  readonly scanner: JsonScanner;
  readonly wanted: Wanted;
  /** Events to append to each span, as the content of a JSON array, by the span's offset in the body. */
  readonly events: ReadonlyMap<number, string>;
}

/**
 * The selected part of a JSON value, and the position after the value in the body. `text` is undefined if nothing in the value is selected.
 */
interface JsonPart {
  readonly text: string | undefined;
  readonly end: number;
}

/**
 * Returns an OTLP/JSON request that contains only the spans or log records whose byte offset is in `wanted`. The text of records and other
 * members stays unchanged; white space between them is removed. `events` are appended to their spans.
 * @throws Malformed or RangeError for invalid OTLP/JSON
 */
export function selectJson(
  { view }: Pick<Batch, "view">,
  wanted: Wanted,
  events: ReadonlyMap<number, string> = new Map(),
): Uint8Array {
  const scanner = new JsonScanner();
  scanner.view = view;
  const { text = "{}" } = object({ scanner, wanted, events }, scanner.space(0), 0);
  return new TextEncoder().encode(text);
}

/** Selects from the object at `p`, by searching those of its members that contain records. */
function object(selection: Selection, p: number, level: number): JsonPart {
  const { scanner } = selection;
  const members: string[] = [];
  let any = false;
  let at = scanner.enterObject(p);
  while (at >= 0) {
    const value = scanner.member(at);
    if (LEVELS[level]?.has(scanner.field) === true) {
      const inside = array(selection, value, level + 1);
      if (inside.text !== undefined) {
        any = true;
        members.push(scanner.source(at, value) + inside.text);
      }
      at = scanner.nextMember(inside.end);
    } else {
      const end = scanner.skip(value);
      members.push(scanner.source(at, end));
      at = scanner.nextMember(end);
    }
  }
  return { text: any ? `{${members.join(",")}}` : undefined, end: ~at };
}

function array(selection: Selection, p: number, level: number): JsonPart {
  const { scanner } = selection;
  const elements: string[] = [];
  let at = scanner.enterArray(p);
  while (at >= 0) {
    const element = level === RECORD ? record(selection, at) : object(selection, at, level);
    if (element.text !== undefined) elements.push(element.text);
    at = scanner.nextElement(element.end);
  }
  return { text: elements.length > 0 ? `[${elements.join(",")}]` : undefined, end: ~at };
}

function record({ scanner, wanted, events }: Selection, p: number): JsonPart {
  const end = scanner.skip(p);
  if (!wanted.has(p)) return { text: undefined, end };
  const added = events.get(p);
  return { text: added === undefined ? scanner.source(p, end) : withEvents(scanner, p, end, added), end };
}

/** Returns the span with additional events: appended to its existing events, or, if it has none, in a new member. */
function withEvents(scanner: JsonScanner, start: number, end: number, added: string): string {
  let at = scanner.enterObject(start);
  const isEmpty = at < 0;
  while (at >= 0) {
    const value = scanner.member(at);
    const behind = scanner.skip(value);
    if (scanner.field === Field.events) {
      const separator = scanner.enterArray(value) < 0 ? "" : ",";
      return `${scanner.source(start, behind - 1)}${separator}${added}${scanner.source(behind - 1, end)}`;
    }
    at = scanner.nextMember(behind);
  }
  return `${scanner.source(start, end - 1)}${isEmpty ? "" : ","}"events":[${added}]}`;
}
