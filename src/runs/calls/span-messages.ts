import type { Adapter } from "../../../adapters/adapter-type.ts";
import type { Message } from "../../model/message.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import { inputsOf, outputsOf } from "./call-messages.ts";
import { readSpan } from "../facts/classify.ts";
import { FieldPlans } from "../facts/field-plan.ts";
import { FieldTable } from "../facts/field-table.ts";
import { TraceValues } from "../facts/trace-values.ts";
import { argumentsOf } from "../notations/arguments.ts";

export interface SpanMessages {
  readonly inputs: readonly Message[];
  readonly outputs: readonly Message[];
}

/** Reads the messages of single spans of any dialect. */
export function createSpanMessageReader(adapters: readonly Adapter[]): (span: SpanView) => SpanMessages {
  const plans = new FieldPlans(new FieldTable(adapters));
  return (span) => {
    const facts = readSpan(span, plans, new TraceValues());
    return { inputs: inputsOf(facts).map(plainMessage), outputs: outputsOf(facts).map(plainMessage) };
  };
}

/** A message for display, with parsed arguments of its calls. */
export function plainMessage({ role, name, text, calls, results }: Message): Message {
  return {
    role,
    name,
    text,
    calls: calls.map((call) => ({ ...call, arguments: argumentsOf(call.arguments).value })),
    results,
  };
}
