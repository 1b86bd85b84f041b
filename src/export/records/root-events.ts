import type { Verdict } from "../../model/verdict.ts";
import type { Attributes, AttributeValue } from "./attribute.ts";
import { encodeAttributes } from "../otlp/attribute-block.ts";
import { encodeEvents } from "../otlp/encode.ts";
import { evaluationEvent, evaluationResults } from "./verdict-records.ts";

/** Verdicts as events for the judged root span: fields of a protobuf span, or the content of a JSON array. */
export interface RootEvents {
  protobuf(): Uint8Array;
  json(): string;
}

/**
 * Encodes verdicts as events for the judged root span.
 *
 * @param content true if explanations include answer texts and judges' reasons
 */
export function rootEvents(verdicts: readonly Verdict[], content: boolean): RootEvents {
  const evaluations = verdicts.map((verdict) => ({
    ...evaluationResults(verdict, content),
    timeUnixNano: verdict.run.rootEndUnixNano,
  }));
  return {
    protobuf: () =>
      Buffer.concat(
        evaluations.map(({ common, results, timeUnixNano }) =>
          encodeEvents(
            results.map((result) => ({ ...result, attributes: encodeAttributes(result.attributes) })),
            encodeAttributes(common),
            timeUnixNano,
          ),
        ),
      ),
    json: () =>
      evaluations
        .flatMap(({ common, results, timeUnixNano }) =>
          results.map(({ attributes }) =>
            JSON.stringify({
              timeUnixNano: String(timeUnixNano),
              name: evaluationEvent,
              attributes: [...keyValues(common), ...keyValues(attributes)],
            }),
          ),
        )
        .join(","),
  };
}

function keyValues(attributes: Attributes): object[] {
  return [...attributes].map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return typeof value === "bigint" ? { intValue: String(value) } : { doubleValue: value };
}
