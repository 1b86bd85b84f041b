import type { Message } from "../../model/message.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { Adapter } from "../../../adapters/adapter-type.ts";
import { createFieldTable } from "../layout/field-table.ts";
import { Histories } from "../messages/history.ts";
import { classify } from "./role-of-span.ts";
import { SpanNode } from "./span-node.ts";
import { FieldReader } from "./span-reading.ts";

/** What one span was sent and what it returned, as messages. */
export interface SpanMessages {
  readonly inputs: readonly Message[];
  readonly outputs: readonly Message[];
}

/** Reads the messages of single spans, whatever dialect they speak. */
export function createSpanMessageReader(adapters: readonly Adapter[]): (span: SpanView) => SpanMessages {
  const reader = new FieldReader(createFieldTable(adapters));
  return (span) => {
    const reading = reader.read(span, new Histories());
    const { inputs, outputs } = new SpanNode(reading, classify(reading), reader);
    return { inputs, outputs };
  };
}
