import type { JsonValue } from "../../model/json.ts";
import type { AttributesView, AttributeTree } from "../../model/telemetry/span-view.ts";
import { Histories } from "../notations/message.ts";

/**
 * Values that the spans of one trace share. If a message list continues an earlier list, only the part after the first difference is
 * parsed.
 */
export class TraceValues {
  readonly histories = new Histories();
  readonly #latest = new Map<string, AttributeTree>();

  /** Returns the value of the indexed keys with a prefix. Leading items that equal those of the previous value are reused. */
  tree(view: AttributesView, prefix: string): JsonValue | undefined {
    const value = view.tree(prefix, this.#latest.get(prefix));
    this.#latest.set(prefix, { view, value });
    return value;
  }
}
