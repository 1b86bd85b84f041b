import type { JsonValue } from "../../model/json.ts";
import type { AttributesView, AttributeTree } from "../../model/telemetry/span-view.ts";
import { Histories } from "../notations/message.ts";

/** Values that the spans of one trace share. A message list that continues an earlier one is parsed only from the first difference. */
export class TraceValues {
  readonly histories = new Histories();
  readonly #latest = new Map<string, AttributeTree>();

  /** Value of indexed keys with a common prefix. Leading items that are equal to the items of the previous value are reused. */
  tree(view: AttributesView, prefix: string): JsonValue | undefined {
    const value = view.tree(prefix, this.#latest.get(prefix));
    this.#latest.set(prefix, { view, value });
    return value;
  }
}
