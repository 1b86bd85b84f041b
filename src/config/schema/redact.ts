import { z } from "zod";
import { compilePattern } from "../../model/patterns/pattern.ts";
import { detectors } from "../../support/redact/detectors/detectors.ts";
import { text } from "./values.ts";

const regex = z.string().superRefine((written, context) => {
  const compiled = compilePattern(written, { language: "javascript" });
  if (!compiled.ok) context.addIssue({ code: "custom", message: compiled.problem.message });
});
export const redact = z.strictObject({
  keys: z
    .array(text)
    .describe("Attributes and JSON keys whose values are redacted; `*` matches any characters")
    .default([]),
  patterns: z
    .array(
      z.strictObject({
        pattern: regex.describe("RE2 pattern of text to redact"),
        replacement: z.string().describe("Replacement text").default("[redacted]"),
      }),
    )
    .describe("Further texts to redact")
    .default([]),
  detectors: z
    .array(z.enum(detectors))
    .describe(
      "Values to detect: keys and tokens, e-mail addresses, cards, bank accounts, US social security and phone numbers",
    )
    .default([]),
});
