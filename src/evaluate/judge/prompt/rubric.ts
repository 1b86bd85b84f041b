import type { JsonValue } from "../../../model/json.ts";
import { canonicalJson } from "../../../support/structures/canonical-json.ts";
import { sha256 } from "../../../support/structures/sha256.ts";
import type { Each } from "./item-kinds.ts";
import type { CriterionLimit, JudgeInputKind, RubricFields, RubricLimit } from "./limits.ts";

export interface Criterion {
  readonly id: string;
  readonly text: string;
  readonly weight: number;
  readonly kind: "binary" | "scaled";
}

/** A rubric with all settings, merged from spec and template. */
export interface Rubric {
  /**
   * `name` of the rubric in the spec; otherwise `name@version` of the template, or a unique id if the spec has its own rule or criteria.
   */
  readonly id: string;
  readonly rule: string;
  readonly scale: readonly string[];
  /** Minimum score that passes, from 0 to 1. */
  readonly threshold: number;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** Weighted criteria. If empty, the judge gives one score from 1 to 5. */
  readonly criteria: readonly Criterion[];
  readonly inputs: readonly JudgeInputKind[];
  /** Inputs that the judge must see. If the telemetry lacks one of them, the judge is not called. */
  readonly needs: readonly JudgeInputKind[];
  /** True if the judge looks up each claim of the answer in the evidence. */
  readonly claims: boolean;
  /** Items that the judge decides separately; null for rubrics with one score or criteria. */
  readonly each: Each | null;
  /** Condition under which the rubric, or one item, does not apply, as decided by the judge. Null if the rubric always applies. */
  readonly skipWhen: string | null;
  /** Inputs without which the check is skipped, if the run certainly has no such input, for example no tool calls. */
  readonly skipWithout: readonly JudgeInputKind[];
  readonly needsReference: boolean;
  /** Reference answer in the spec. */
  readonly reference: string | null;
  readonly contextFile: string | null;
  readonly model: string | null;
  readonly blocking: "always" | "only-if-audited";
}

/**
 * Returns a hash of what decides the scores of a rubric, so that results of `judge-audit` do not count for a rubric that was changed under
 * the same name. Reference texts are left out, because they differ from query to query.
 */
export function rubricHash(rubric: Rubric): string {
  const { id: _, model: __, blocking: ___, reference: ____, contextFile: _____, ...deciding } = rubric;
  return sha256(canonicalJson(deciding as unknown as JsonValue)).slice(0, 16);
}

/** A rubric from a template file. */
export interface RubricTemplate extends Rubric {
  readonly name: string;
  readonly version: number;
  readonly description: string;
}

/** Rubric templates by `name@version`. */
export type RubricLibrary = ReadonlyMap<string, RubricTemplate>;

export type RubricResolution = { readonly rubric: Rubric } | { readonly problem: string };

/** Returns the template `name@version`; for a name without a version, the newest version. */
export function findTemplate(library: RubricLibrary, name: string): RubricTemplate | undefined {
  const exact = library.get(name);
  if (exact !== undefined || name.includes("@")) return exact;
  const versions = [...library.values()].filter((it) => it.name === name);
  return versions.sort((a, b) => b.version - a.version)[0];
}

/**
 * Returns the rubric that a check of a spec defines. Keys of the spec replace keys of the template.
 * @param builtIn template of a key such as `safety_check`
 */
export function resolveRubric(
  limit: RubricLimit | boolean,
  library: RubricLibrary,
  builtIn?: string,
): RubricResolution {
  const written: RubricFields = typeof limit === "object" ? limit : {};
  const name = typeof limit === "string" ? limit : (written.rubric ?? builtIn);
  const template = name === undefined ? undefined : findTemplate(library, name);
  if (name !== undefined && template === undefined) return { problem: unknownTemplate(name, library) };
  if (template === undefined && written.rule === undefined && written.criteria === undefined)
    return { problem: "the rubric has no `rule`, `rubric` or `criteria`" };
  return { rubric: merge(written, template) };
}

/** Whether a spec's rubric has weighted criteria. False if the template is unknown. */
export function hasCriteria(
  limit: RubricLimit | boolean,
  library: RubricLibrary = new Map(),
  builtIn?: string,
): boolean {
  return metricOf(limit, library, builtIn) === "impl_rate";
}

/**
 * Returns the metric of a rubric: `impl_rate` for criteria, `judged_share` for items. Undefined for a rubric with a score from 1 to 5, and
 * for an unknown template.
 */
export function metricOf(
  limit: RubricLimit | boolean,
  library: RubricLibrary = new Map(),
  builtIn?: string,
): "impl_rate" | "judged_share" | undefined {
  if (typeof limit === "object" && limit.criteria !== undefined) return "impl_rate";
  const resolved = resolveRubric(limit, library, builtIn);
  return "rubric" in resolved ? metricOfRubric(resolved.rubric) : undefined;
}

export function metricOfRubric({
  criteria,
  each,
}: Pick<Rubric, "criteria" | "each">): "impl_rate" | "judged_share" | undefined {
  if (criteria.length > 0) return "impl_rate";
  return each === null ? undefined : "judged_share";
}

/** Returns the instructions about the reference; empty without a reference. */
export function referenceNotes({ contextFile, reference }: Rubric): readonly string[] {
  if (contextFile !== null)
    return ["REFERENCE is the only truth you may use; what you know from elsewhere does not count."];
  return reference === null ? [] : ["REFERENCE is what the author of this check holds to be right."];
}

/** Returns the part of the instructions that has the graded examples; empty without examples. */
export function examplesOf({ examples }: Rubric): readonly string[] {
  if (examples.length === 0) return [];
  return [`Graded examples:\n${examples.map((it) => JSON.stringify(it)).join("\n")}`];
}

function unknownTemplate(name: string, library: RubricLibrary): string {
  const known = [...library.keys()].sort().join(", ");
  return `unknown rubric template "${name}"; known templates: ${known === "" ? "none" : known}`;
}

function merge(written: RubricFields, template: RubricTemplate | undefined): Rubric {
  const criteria =
    written.criteria?.map(criterion) ?? (written.rule === undefined ? template?.criteria : []) ?? [];
  const changed = written.rule !== undefined || written.criteria !== undefined;
  return {
    id: written.name ?? (template !== undefined && !changed ? template.id : inlineId(written)),
    rule: written.rule ?? template?.rule ?? "",
    scale: written.scale ?? (changed ? [] : template?.scale) ?? [],
    threshold: written.threshold ?? template?.threshold ?? (criteria.length > 0 ? 0.7 : 0.5),
    examples: written.few_shot_examples ?? (changed ? [] : template?.examples) ?? [],
    criteria,
    inputs: written.inputs ?? template?.inputs ?? ["query", "answer"],
    needs: neededOf(written.inputs, template),
    claims: template?.claims ?? false,
    each: written.criteria === undefined ? (template?.each ?? null) : null,
    skipWhen: changed ? null : (template?.skipWhen ?? null),
    skipWithout: template?.skipWithout.filter((it) => written.inputs?.includes(it) ?? true) ?? [],
    needsReference: template?.needsReference ?? false,
    reference: written.reference ?? null,
    contextFile: written.context_file ?? template?.contextFile ?? null,
    model: written.model ?? template?.model ?? null,
    blocking: written.blocking ?? template?.blocking ?? "always",
  };
}

/** Returns the needed inputs: those that the template needs among the written ones; all written ones if it needs none of them. */
function neededOf(
  written: readonly JudgeInputKind[] | undefined,
  template: RubricTemplate | undefined,
): readonly JudgeInputKind[] {
  if (written === undefined) return template?.needs ?? ["answer"];
  const needed = template?.needs.filter((it) => written.includes(it)) ?? [];
  return needed.length > 0 ? needed : written;
}

export function criterion(written: CriterionLimit, index: number): Criterion {
  return {
    id: written.id ?? `c${index + 1}`,
    text: written.text,
    weight: written.weight ?? 1,
    kind: written.kind ?? "scaled",
  };
}

/** Returns a readable and unique id. A hash distinguishes rubrics whose rules begin equally. */
function inlineId(written: RubricFields): string {
  const text = written.rule ?? written.criteria?.map((it) => it.text).join(" ") ?? "";
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  const short = slug.slice(0, 40).replaceAll(/\p{Surrogate}|-$/gu, "");
  return `${short === "" ? "rubric" : short}-${sha256(JSON.stringify(written)).slice(0, 6)}`;
}
