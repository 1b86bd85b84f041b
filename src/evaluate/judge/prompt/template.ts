import { parse } from "yaml";
import { z } from "zod";
import { itemKinds, itemScores } from "./item-kinds.ts";
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
  each: z
    .strictObject({
      item: z.enum(itemKinds),
      list: text.exactOptional().describe("Of claims: which ones the judge lists"),
      score: z.enum(itemScores).exactOptional().describe("share when absent"),
    })
    .exactOptional()
    .describe("The rule is decided item by item, and the score is computed of the decisions"),
  skip_when: text.exactOptional().describe("When the rubric, or one of its items, does not apply"),
  skip_without: z
    .array(z.enum(judgeInputs))
    .exactOptional()
    .describe("Inputs that a run may be known not to have: then the check is skipped"),
  needs_reference: z.boolean().exactOptional().describe("Nothing can be judged without `reference`"),
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
    each:
      written.each === undefined
        ? null
        : { item: written.each.item, list: written.each.list ?? null, score: written.each.score ?? "share" },
    skipWhen: written.skip_when ?? null,
    skipWithout: written.skip_without ?? [],
    needsReference: written.needs_reference ?? false,
    reference: null,
    contextFile: null,
    model: null,
    blocking: written.blocking ?? "always",
  };
}
