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
    .describe(
      "Attributes and keys in JSON whose values are taken out; `*` stands for anything, as in *.authorization",
    )
    .default([]),
  patterns: z
    .array(
      z.strictObject({
        pattern: regex.describe("What is taken out: a regular expression of RE2"),
        replacement: z.string().describe("What is put in its place").default("[redacted]"),
      }),
    )
    .describe("Further texts to take out")
    .default([]),
  detectors: z
    .array(z.enum(detectors))
    .describe(
      "What is found without being named: keys and tokens, e-mail addresses, cards, bank accounts, US social security and phone numbers",
    )
    .default([]),
});
