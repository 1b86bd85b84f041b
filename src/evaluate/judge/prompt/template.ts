import { parse } from "yaml";
import { z } from "zod";
import { criterionLimit, judgeInputs } from "./limits.ts";
import { criterion, type RubricTemplate } from "./rubric.ts";

const text = z.string().min(1);

/** A rubric template file, `config/rubrics/<name>.v<version>.yaml`. A changed rubric is a new version in a new file. */
const rubricTemplateSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, "lower-case letters, digits and underscores"),
  version: z.int().positive(),
  description: text,
  rule: text,
  scale: z.array(text).exactOptional(),
  threshold: z.number().min(0).max(1),
  few_shot_examples: z.array(z.record(z.string(), z.json())).exactOptional(),
  criteria: z.array(criterionLimit).min(1).exactOptional(),
  inputs: z.array(z.enum(judgeInputs)).min(1).exactOptional(),
  needs: z
    .array(z.enum(judgeInputs))
    .exactOptional()
    .describe("Inputs without which nothing can be judged; answer when absent"),
  claims: z.boolean().exactOptional().describe("Look up each claim of the answer in the evidence"),
  blocking: z.enum(["always", "only-if-audited"]).exactOptional(),
});

export type TemplateReading =
  | { readonly ok: true; readonly template: RubricTemplate }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads one template file's text. */
export function readTemplate(source: string): TemplateReading {
  let document: unknown;
  try {
    document = parse(source, { maxAliasCount: 100 });
  } catch (error) {
    return { ok: false, problems: [error instanceof Error ? error.message : String(error)] };
  }
  const read = rubricTemplateSchema.safeParse(document);
  if (read.success) return { ok: true, template: toTemplate(read.data) };
  return { ok: false, problems: read.error.issues.map((it) => `${it.path.join(".")}: ${it.message}`) };
}

function toTemplate(written: z.infer<typeof rubricTemplateSchema>): RubricTemplate {
  return {
    id: `${written.name}@${written.version}`,
    name: written.name,
    version: written.version,
    description: written.description,
    rule: written.rule,
    scale: written.scale ?? [],
    threshold: written.threshold,
    examples: written.few_shot_examples ?? [],
    criteria: (written.criteria ?? []).map(criterion),
    inputs: written.inputs ?? ["query", "answer"],
    needs: written.needs ?? ["answer"],
    claims: written.claims ?? false,
    contextFile: null,
    model: null,
    blocking: written.blocking ?? "always",
  };
}
