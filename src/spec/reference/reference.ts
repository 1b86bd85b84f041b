import { z } from "zod";
import type { Check } from "../../evaluate/checks/check.ts";
import { ensembleSchema, judgeSettingsSchema } from "../../evaluate/judge/settings.ts";
import { criterionLimit, rubricFields } from "../../evaluate/judge/prompt/limits.ts";
import {
  bareModes,
  type Preset,
  plainModes,
  presets,
  resolveMode,
} from "../../evaluate/metrics/match-mode.ts";
import { type Layer, layers } from "../../model/outcome.ts";
import {
  matchSchema,
  reliabilitySchema,
  resilienceSchema,
  retrievalSchema,
  scoringSchema,
  simulateSchema,
  spanAssertionSchema,
  waiverSchema,
} from "../../evaluate/query/blocks.ts";
import * as prose from "./reference-prose.ts";

/** Returns the reference of the spec language as Markdown, from the check registry and the schemas. */
export function renderSpecReference(checks: readonly Check[]): string {
  const parts = [
    prose.beginning,
    prose.matching,
    table(["key", "value", ""], rowsOf(matchSchema)),
    prose.layers,
    ...layers.map((layer) => layerPart(layer, checks)),
    prose.modes,
    modes(),
    prose.judges,
    table(["key of a rubric", "value", ""], rowsOf(z.strictObject(rubricFields))),
    table(["key of a criterion", "value", ""], rowsOf(criterionLimit)),
    table(["key of `judge_config`", "value", ""], rowsOf(judgeSettingsSchema)),
    table(["key of `judge_config.ensemble`", "value", ""], rowsOf(ensembleSchema)),
    prose.retrieval,
    table(["key of `retrieval`", "value", ""], rowsOf(retrievalSchema)),
    prose.spans,
    table(["key of `spans[]`", "value", ""], rowsOf(spanAssertionSchema)),
    prose.scoring,
    table(["key of `scoring`", "value", ""], rowsOf(scoringSchema)),
    prose.reliability,
    table(["key of `reliability`", "value", ""], rowsOf(reliabilitySchema)),
    prose.resilience,
    table(["key of `resilience`", "value", ""], rowsOf(resilienceSchema)),
    prose.conversations,
    table(["key of `simulate`", "value", ""], rowsOf(simulateSchema)),
    prose.known,
    prose.waivers,
    table(["key of a waiver", "value", ""], rowsOf(waiverSchema)),
    prose.presets,
    prose.metrics,
  ];
  return `${parts.join("\n\n")}\n`;
}

function layerPart(layer: Layer, checks: readonly Check[]): string {
  const rows = checks
    .filter((check) => check.layer === layer)
    .map(({ key, limit, summary, details = "", judged }) => [
      `\`${key}\`${judged === true ? " (judge)" : ""}`,
      kindOf(json(limit)),
      [summary, details].filter((text) => text !== "").join("<br>"),
    ]);
  return `${prose.layerTitles[layer]}\n\n${table(["key", "value", "passes when"], rows)}`;
}

/** Lists every mode, and its short names under each preset. */
function modes(): string {
  const rows = plainModes.map((mode) => [
    `\`${mode}\``,
    prose.modeMeanings[mode],
    ...presets.map((preset) => bareWords(mode, preset)),
  ]);
  return table(["mode", "passes when", ...presets.map((preset) => `\`${preset}\``)], rows);
}

function bareWords(mode: (typeof plainModes)[number], preset: Preset): string {
  const words = bareModes.filter((word) => resolveMode(word, preset) === mode);
  return words.map((word) => `\`${word}\``).join(", ");
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

function json(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
}

function rowsOf(schema: z.ZodType): readonly (readonly string[])[] {
  return Object.entries(json(schema).properties ?? {}).map(([key, value]) => [
    `\`${key}\``,
    kindOf(value),
    value.description ?? "",
  ]);
}

/** Describes the value type of a key. */
function kindOf(schema: Schema): string {
  const name = namedKinds.get(keysOf(schema));
  if (name !== undefined) return name;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(", ");
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(", or ");
  return kinds.get(schema.type ?? "")?.(schema) ?? "anything";
}

/** Kinds of values that several keys share, and that the reference page describes once. */
const namedKinds: ReadonlyMap<string, string> = new Map([
  [Object.keys(rubricFields).join(), "a rubric"],
  [Object.keys(criterionLimit.shape).join(), "criteria"],
  [Object.keys(ensembleSchema.shape).join(), "an ensemble"],
  [[...plainModes, ...bareModes].join(), "a mode"],
]);

/** Returns the keys of an object schema, or the allowed values of a string schema, joined by commas. */
function keysOf({ properties = {}, enum: values = [] }: Schema): string {
  return [...Object.keys(properties), ...values].join();
}

const kinds: ReadonlyMap<string, (schema: Schema) => string> = new Map([
  ["array", ({ items }) => listKind(items === undefined ? "anything" : kindOf(items))],
  ["object", objectKind],
  ["integer", (schema) => `whole number${bounds(schema)}`],
  ["number", (schema) => `number${bounds(schema)}`],
  ["boolean", () => "boolean"],
  ["string", () => "text"],
]);

function listKind(item: string): string {
  return item.includes(", or ") ? `list; an item is ${item}` : `list of ${item}`;
}

/** Maximum number of values that the page lists for a key. The descriptions of checks contain longer lists. */
const MOST_VALUES = 8;

function objectKind({ properties, additionalProperties }: Schema): string {
  const keys = Object.keys(properties ?? {});
  if (keys.length > 0) {
    const shown = Object.entries(properties ?? {}).map(([key, value]) => `\`${key}\`${valuesOf(value)}`);
    return `\`{ … }\` with ${shown.join(", ")}`;
  }
  const values = typeof additionalProperties === "object" ? kindOf(additionalProperties) : "anything";
  return values === "anything" ? "`{ … }`" : `map to ${values}`;
}

/** Returns the allowed values of a key or its list items, in brackets; empty if there are none or too many. */
function valuesOf({ enum: values, items }: Schema): string {
  const all = values ?? items?.enum ?? [];
  return all.length === 0 || all.length > MOST_VALUES
    ? ""
    : ` (${all.map((one) => `\`${String(one)}\``).join(", ")})`;
}

function bounds({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${top === undefined ? "" : `, to ${top}`}`;
  if (minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER) return "";
  if (top === undefined) return minimum === 0 ? "" : ` from ${minimum}`;
  return ` ${minimum}–${top}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
