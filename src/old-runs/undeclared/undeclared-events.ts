import type { JsonValue } from "../../model/json.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { Field } from "../../../adapters/field-names.ts";
import { unfold } from "../messages/unfold.ts";
import { readCounts, type TokenCounts } from "../span/read-usage.ts";
import { mayBeContent } from "./inferred-fields.ts";
import { meaningOfName } from "./meaning-of-name.ts";

/** A span event or log record that carries no message. */
export interface UndeclaredEvent {
  readonly name: string;
  readonly view: AttributesView;
}

/** Events that no adapter claims are looked through only so far. */
const MOST_EVENTS = 64;
/** And so many attributes of each. */
const MOST_ATTRIBUTES = 64;

/**
 * The first value that looks like one of the fields, by the event's name and the attribute's together: `tool.output` with an
 * attribute `content` holds an output.
 */
export function undeclaredValue(
  events: readonly UndeclaredEvent[],
  ...fields: readonly Field[]
): JsonValue | undefined {
  for (const field of fields) {
    for (const { name, view } of events.slice(0, MOST_EVENTS)) {
      for (let place = 0; place < Math.min(view.size, MOST_ATTRIBUTES); place++) {
        const meaning = meaningOfName(`${name}.${view.nameAt(place)}`);
        if (meaning === null || meaning === "kind" || "tree" in meaning || meaning.field !== field) continue;
        const value = view.valueAt(place);
        if (mayBeContent(value) && !isCutOff(value)) return unfold(value ?? null, 1);
      }
    }
  }
  return undefined;
}

/** Token counts in the attributes of an event, both sides of them. */
export function undeclaredCounts(events: readonly UndeclaredEvent[]): TokenCounts {
  for (const { view } of events.slice(0, MOST_EVENTS)) {
    const object = Object.create(null) as Record<string, JsonValue>;
    for (let place = 0; place < Math.min(view.size, MOST_ATTRIBUTES); place++)
      object[view.nameAt(place)] = view.valueAt(place) ?? null;
    const counts = readCounts(object);
    if (counts.input !== undefined && counts.output !== undefined) return counts;
  }
  return {};
}

/** Half a value is none. */
function isCutOff(value: JsonValue | undefined): boolean {
  return typeof value === "string" && /(?:\.\.\.|…|\[truncated\])$/.test(value);
}
