import { undeclaredValue } from "../undeclared/undeclared-events.ts";
import { answerIn, lastText, storedOutput, structuredAnswer } from "../span/read-texts.ts";
import type { SpanNode } from "../span/span-node.ts";

/** The answer that a span holds: by what adapters declare, else by the looks of what they do not. */
export function nodeAnswer(node: SpanNode): string | undefined {
  const known = knownAnswer(node) ?? (node.reading.infer() === undefined ? undefined : knownAnswer(node));
  return known ?? answerIn(undeclaredValue(node.attached.uncorrelated, "outputMessages", "output"));
}

function knownAnswer(node: SpanNode): string | undefined {
  for (const field of ["outputText", "outputMessages", "output"] as const) {
    for (const value of node.reading.all(field)) {
      const data = field === "outputText" ? structuredAnswer(value) : storedOutput(value);
      const found = data ?? answerIn(value);
      if (found !== undefined) return found;
    }
  }
  return (
    lastText(node.attached.outputs, "assistant") ?? answerIn(node.json("outputText") ?? node.json("output"))
  );
}
