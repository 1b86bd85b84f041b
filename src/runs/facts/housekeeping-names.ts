import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";

/**
 * Whether a name is that of a model call which a harness makes for itself. Examples are calls for a session's title, for its summary, and
 * for suggestions for the next prompt.
 */
export const inNames = remembered((name) =>
  /(?:ensure|generate|create|update)_?(?:session|thread|chat|conversation)?_?title\b|(?:session|thread|chat|conversation)_?titles?\b|title_?generat|prompt_?suggestion|away_?summary|compact_?(?:session|conversation|history)/i.test(
    name,
  ),
);
const SOURCES = [key("query_source"), key("query_source_safe")];

/** Whether a span, event or log record declares that it belongs to a call that a harness makes for itself. */
export function isOfHousekeeping(view: AttributesView): boolean {
  return SOURCES.some((source) => inNames(view.text(source) ?? ""));
}
