import type { JsonValue } from "../../model/json.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import type { Attached } from "./read-events.ts";
import type { TokenCounts } from "./read-usage.ts";
import type { SpanReading } from "./span-reading.ts";

/** What readers of a span's facts need: its attributes, and those of its events and log records. `SpanNode` is the implementation. */
export interface SpanSource {
  readonly reading: SpanReading;
  readonly span: SpanView;
  readonly role: SpanRole;
  readonly attached: Attached;
  readonly failure: string | null;
  readonly counts: TokenCounts;
  has(field: Field): boolean;
  text(field: Field): string | undefined;
  json(field: Field): JsonValue | undefined;
}
