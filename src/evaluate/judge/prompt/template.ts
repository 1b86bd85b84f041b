import { parse } from "yaml";
import { z } from "zod";
import { itemKinds, itemScores } from "./item-kinds.ts";
import { criterionLimit, judgeInputs } from "./limits.ts";
import { criterion, type RubricTemplate } from "./rubric.ts";
import { jsonObject } from "../../../support/structures/json-schema.ts";

const text = z.string().min(1);

/** Schema of a rubric template file, `config/rubrics/<name>.v<version>.yaml`. Each change of a rubric needs a new version in a new file. */
const rubricTemplateSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, "lower-case letters, digits and underscores"),
  version: z.int().positive(),
  description: text,
  rule: text,
  scale: z.array(text).exactOptional(),
  threshold: z.number().min(0).max(1),
  few_shot_examples: z.array(jsonObject).exactOptional(),
  criteria: z.array(criterionLimit).min(1).exactOptional(),
  inputs: z.array(z.enum(judgeInputs)).min(1).exactOptional(),
  needs: z
    .array(z.enum(judgeInputs))
    .exactOptional()
    .describe("Inputs that the judge needs. Default: answer"),
  claims: z.boolean().exactOptional().describe("Checks each claim of the answer against the evidence"),
  each: z
    .strictObject({
      item: z.enum(itemKinds),
      list: text.exactOptional().describe("Which claims the judge lists"),
      score: z.enum(itemScores).exactOptional().describe("How item decisions become a score. Default: share"),
    })
    .exactOptional()
    .describe("The judge decides each item; the score is computed from the decisions"),
  skip_when: text
    .exactOptional()
    .describe(
      "Condition under which the rubric, or one of its items, does not apply: the rest of a sentence that begins with `only when`",
    ),
  skip_without: z
    .array(z.enum(judgeInputs))
    .exactOptional()
    .describe(
      "Skips the check if the run is known to lack one of these inputs; only tools, calls, retrievals and documents can be known to be absent",
    ),
  needs_reference: z.boolean().exactOptional().describe("The judge needs `reference`"),
  blocking: z.enum(["always", "only-if-audited"]).exactOptional(),
});

export type TemplateReading =
  | { readonly ok: true; readonly template: RubricTemplate }
  | { readonly ok: false; readonly problems: readonly string[] };

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
