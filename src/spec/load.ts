import type { z } from "zod";
import type { Check } from "../evaluate/checks/check.ts";
import type { JudgeSettings } from "../evaluate/judge/settings.ts";
import type { Preset } from "../evaluate/metrics/match-mode.ts";
import type { JsonObject } from "../model/json.ts";
import { sha256 } from "../support/structures/sha256.ts";
import type { Waiver } from "../evaluate/query/blocks.ts";
import { canonicalJson } from "../support/structures/canonical-json.ts";
import { compileQuery, type QueryContext, type ToolCategories } from "./compile/compile-query.ts";
import type { CompiledSpec } from "../evaluate/query/compiled.ts";
import { keysAt } from "./document/schema-keys.ts";
import { mergeNodes, withoutEmpty } from "./document/merge.ts";
import { type DocumentNode, entryOf, itemsAt, mapNode, nodeAt, textAt, toValue } from "./document/node.ts";
import { hasErrors, type Problem, problemAt, sortProblems } from "./document/problems/problem.ts";
import { type DocumentSource, readDocument } from "./document/read-document.ts";
import { schemaProblems } from "./document/problems/schema-problems.ts";
import type { SourceReader } from "./document/source-reader.ts";
import { assignIds } from "./compile/ids.ts";
import { type CellNames, expandQueries } from "./table/expand-queries.ts";
import { otherNames } from "./reference/other-names.ts";
import { type SpecSchemas, specSchemas, specWideKeys } from "./schema.ts";
import { specName } from "./spec-names.ts";
import { invalidModelNames, type JudgeNames, unknownJudgeNames } from "./compile/judge-names.ts";
import { meaningProblems } from "./compile/meaning.ts";

const CODE = "spec/empty-key";
const HINT = "write its value ([] for an empty list), or delete the key";

export interface LoadSpecOptions {
  /** All checks. The results of a run have the same order. */
  readonly checks: readonly Check[];
  /** Reads the files of `!include` and `$ref`. Without a reader, `!include` and `$ref` to files are errors. */
  readonly reader?: SourceReader;
  /** Tool categories of the configuration: tools by category. */
  readonly toolCategories?: ToolCategories;
  /** Known rubric templates and providers. If absent, unknown names are not reported. */
  readonly judgeNames?: JudgeNames | undefined;
  /** True if included files may be outside the spec's folder. */
  readonly allowOutside?: boolean;
}

interface Loaded {
  /** Errors and warnings. A spec with an error cannot be used. */
  readonly problems: readonly Problem[];
  /** Texts of all files that were read, by file, for code frames. */
  readonly texts: ReadonlyMap<string, string>;
}

export type LoadedSpec =
  (Loaded & { readonly ok: true; readonly spec: CompiledSpec }) | (Loaded & { readonly ok: false });

/** Keys whose value can contain `$ref` of another language, such as JSON Schema. */
const opaqueKeys = new Set(["json_schema", "arguments"]);

/** Keys with literal values: null counts as a value, and large integers keep all digits. */
const exactKeys = new Set(["arguments", "equals", "includes"]);
const keepEmpty = new Set([...opaqueKeys, "equals", "includes"]);

/** Number of levels on which an empty key counts as absent: the query, its layers, and the rubrics of a layer. */
const emptyDepth = 3;

/** Reads, validates and compiles one spec. Problems are in the result; the function does not throw. */
export function loadSpec(source: DocumentSource, options: LoadSpecOptions): LoadedSpec {
  const { root, problems: unreadable, texts } = readDocument(source, { ...options, opaqueKeys, exactKeys });
  if (!root) return { ok: false, problems: sortProblems(unreadable), texts };
  // If a file is unreadable, empty keys are not reported, because the file may be the cause.
  const empty = hasErrors(unreadable) ? [] : emptyKeys(withoutExtensions(root), keepEmpty);
  const problems = [...unreadable, ...empty];
  const { query: schema } = specSchemas(options.checks);
  const expanded = expandQueries(withoutExtensions(root), source, {
    ...options,
    schema,
    layerOfCheck: new Map(options.checks.map(({ key, layer }) => [key, layer])),
    opaqueKeys,
    keepEmpty,
  });
  const read = { texts: new Map([...texts, ...expanded.texts]) };
  // If rows of a table are unreadable, its queries are unknown, so only the problems of the table are reported.
  if (hasErrors(expanded.problems))
    return { ok: false, problems: sortProblems([...problems, ...expanded.problems]), ...read };
  const loader = new SpecLoader(expanded.root, options, expanded.cells);
  // If a file is unreadable, missing keys are not reported, because the file may be the cause.
  const found = hasErrors(unreadable) ? loader.problems().filter(isNoGap) : loader.problems();
  const all = sortProblems([
    ...problems,
    ...expanded.problems,
    ...found.map((problem) => expanded.cells.named(problem)),
  ]);
  if (hasErrors(all)) return { ok: false, problems: all, ...read };
  return { ok: true, spec: loader.compile(source.file), problems: all, ...read };
}

const MANY_QUERIES = 100;

class SpecLoader {
  private readonly root: DocumentNode;
  private readonly cells: CellNames;
  private readonly checks: readonly Check[];
  private readonly toolCategories: ToolCategories;
  private readonly judgeNames: JudgeNames | undefined;
  private readonly schemas: SpecSchemas;
  /** Each query as in the file, without defaults. */
  private readonly written: readonly DocumentNode[];
  /** Each query, merged with the defaults. */
  private readonly queries: readonly DocumentNode[];

  constructor(
    root: DocumentNode,
    { checks, toolCategories = {}, judgeNames }: LoadSpecOptions,
    cells: CellNames,
  ) {
    this.root = root;
    this.cells = cells;
    this.toolCategories = toolCategories;
    this.checks = checks;
    this.judgeNames = judgeNames;
    this.schemas = specSchemas(checks);
    const maps = itemsAt(root, "queries").filter((item) => item.kind === "map");
    this.written = maps;
    const base = inheritedByQueries(root);
    this.queries = base ? maps.map((query) => mergeNodes(base, query)) : maps;
  }

  problems(): Problem[] {
    const problems = this.check(this.schemas.frame, this.root, 2, "a spec");
    const defaults = nodeAt(this.root, ["defaults"]);
    // Missing keys in `defaults` are not reported, because queries add them.
    if (defaults?.kind === "map")
      problems.push(...this.check(this.schemas.defaults, defaults, emptyDepth, "`defaults`").filter(isNoGap));
    for (const query of this.queries)
      problems.push(...this.check(this.schemas.query, query, emptyDepth, "a query"));
    const names =
      this.judgeNames === undefined ? [] : unknownJudgeNames(this.root, this.queries, this.judgeNames);
    return [
      ...problems,
      ...invalidModelNames(this.root, this.queries),
      ...names,
      ...meaningProblems(this.root, this.queries, this.checks, (place) => this.cells.isRow(place)),
    ];
  }

  /** Compiles the spec, which must have no errors. */
  compile(file: string): CompiledSpec {
    const value = toValue(withoutEmpty(this.root, 2, keepEmpty)) as JsonObject;
    const context: QueryContext = {
      checks: this.checks,
      preset: value["preset"] as Preset | undefined,
      presetAt: entryOf(this.root, "preset")?.keyAt,
      toolCategories: this.toolCategories,
      isRow: (place) => this.cells.isRow(place),
    };
    const queries = this.queries.map((query) => withoutEmpty(query, emptyDepth, keepEmpty));
    const ids = assignIds(
      queries.map((query) => ({ id: textAt(query, "id"), text: textAt(query, "query") ?? "" })),
    );
    return {
      name: specName(file),
      file,
      hash: sha256(canonicalJson(value)).slice(0, 12),
      agent: value["agent"] as string,
      baselineDir: (value["baseline_dir"] as string | undefined) ?? "./baselines",
      baseline: value["baseline"] as string | undefined,
      judgeConfig: (value["judge_config"] ?? {}) as JudgeSettings,
      waivers: (value["waivers"] ?? []) as unknown as readonly Waiver[],
      queries: queries.map((query, index) =>
        compileQuery(query, ids[index] ?? "", valueOf(this.written[index]), context),
      ),
    };
  }

  private check(schema: z.ZodType, node: DocumentNode, depth: number, subject: string): Problem[] {
    // `jitless` switches off zod's generation of code, which saves time only for many queries.
    const jitless = this.queries.length < MANY_QUERIES;
    const result = schema.safeParse(toValue(withoutEmpty(node, depth, keepEmpty)), { jitless });
    return result.success
      ? []
      : schemaProblems(result.error.issues, node, schema, {
          area: "spec",
          subject,
          otherNames,
          ...(node === this.root
            ? { queryKeys: new Set(keysAt(this.schemas.query, [])) }
            : { outerKeys: new Set(keysAt(this.schemas.frame, [])) }),
        });
  }
}

function valueOf(node: DocumentNode | undefined): JsonObject {
  return node === undefined ? {} : (toValue(node) as JsonObject);
}

function isNoGap(problem: Problem): boolean {
  return problem.code !== "spec/missing-key";
}

/** Removes blocks that exist only to be referenced: `definitions` (if a map) and root keys that begin with `x-`. */
function withoutExtensions(root: DocumentNode): DocumentNode {
  if (root.kind !== "map") return root;
  const own = [...root.entries].filter(
    ([key, { node }]) => !key.startsWith("x-") && !(key === "definitions" && node.kind === "map"),
  );
  return mapNode(root.at, new Map(own));
}

/** Returns the values that every query inherits: settings of the spec, overridden by `defaults`. */
function inheritedByQueries(root: DocumentNode): DocumentNode | undefined {
  if (root.kind !== "map") return undefined;
  const wide = mapNode(
    root.at,
    new Map([...root.entries].filter(([key]) => specWideKeys.some((one) => one === key))),
  );
  const defaults = nodeAt(root, ["defaults"]);
  return defaults?.kind === "map" ? mergeNodes(wide, defaults) : wide;
}

/**
 * Reports keys and list items without a value, because an empty `forbidden_tools:` would check nothing. Null is allowed as the value of a
 * key in `nullable`, and anywhere inside that value.
 */
function emptyKeys(root: DocumentNode, nullable: ReadonlySet<string>): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<DocumentNode>();
  const walk = (node: DocumentNode, name: string): void => {
    // Visits a block once, even if several aliases refer to it.
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === "list") {
      for (const item of node.items) {
        if (isEmpty(item))
          problems.push(
            problemAt(
              item.at,
              CODE,
              `an item of the list \`${name}\` has no value`,
              "write the value, or delete the dash",
            ),
          );
        else walk(item, name);
      }
    }
    if (node.kind !== "map") return;
    for (const [key, { keyAt, node: value }] of node.entries) {
      if (nullable.has(key)) continue;
      if (isEmpty(value)) problems.push(problemAt(keyAt, CODE, `\`${key}\` has no value`, HINT));
      else walk(value, key);
    }
  };
  walk(root, "the spec");
  return problems;
}

function isEmpty(node: DocumentNode): boolean {
  return node.kind === "scalar" && node.value === null;
}
