import { readdirSync } from "node:fs";
import { parse } from "yaml";
import { loadConfig } from "../../src/config/load.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { loadSpec } from "../../src/spec/load.ts";

const foreign = `on jobs name services receivers exporters processors apiVersion steps image stages uses
include pipelines scrape_configs pool repos fleet`.split(/\s/);

/** The templates of the package and the providers that `validate` accepts. */
const judgeNames = {
  templates: readdirSync("config/rubrics").map((file) => file.replace(/\.v(\d+)\.yaml$/, "@$1")),
  providers: ["anthropic", "openai"],
};

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const layerOf = new Map<string, string>(checks.map(({ key, layer }) => [key, layer]));
const ofQuery = new Set(
  `query id tags description correctness path cost match turns scope spans retrieval todo
expected_fail checks simulate resilience`.split(/\s/),
);

/** A block as a complete spec, with the missing levels added. Undefined if it is not a part of a spec. */
function asSpec(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every(isMap) && value.some((one) => "query" in one)
      ? { agent: "*", queries: value }
      : undefined;
  if (!isMap(value)) return undefined;
  const keys = Object.keys(value);
  if ("queries" in value || "queries_from" in value) return { agent: "*", ...value };
  if (keys.every((key) => ofQuery.has(key))) return { agent: "*", queries: [{ query: "q", ...value }] };
  if (keys.every((key) => layerOf.has(key))) {
    const layers: Record<string, Record<string, unknown>> = {};
    for (const key of keys) (layers[layerOf.get(key) ?? ""] ??= {})[key] = value[key];
    return { agent: "*", queries: [{ query: "q", ...layers }] };
  }
  if (
    keys.every((key) =>
      `agent version defaults judge_config preset reliability scoring severity waivers definitions
baseline baseline_dir`
        .split(/\s/)
        .includes(key),
    )
  )
    return { agent: "*", ...value, queries: [{ query: "q" }] };
  return undefined;
}

/** Problems of a YAML block that is a spec, a part of one, or a configuration. */
export function problemsOf(text: string): readonly string[] {
  const value: unknown = parse(text, { logLevel: "error" });
  if (isMap(value) && Object.keys(value).some((key) => foreign.includes(key)) && !("queries" in value))
    return [];
  const spec = asSpec(value);
  if (spec !== undefined) {
    const loaded = loadSpec(
      { file: "block.yaml", text: JSON.stringify(spec) },
      { checks, judgeNames, reader: { read: () => ({ ok: false, reason: "not read" }) } },
    );
    return loaded.problems
      .filter(({ severity, code }) => severity === "error" && !/^(?:include|table)\//.test(code))
      .map(({ code, message }) => `${code}: ${message}`);
  }
  const loaded = loadConfig({
    files: ["block.yaml"],
    set: [],
    env: {},
    reader: { read: () => ({ ok: true, text, realPath: "block.yaml" }) },
  });
  // Variables of the documentation's examples are not set here.
  const problems = loaded.ok ? [] : loaded.problems.filter(({ code }) => code !== "config/unset-variable");
  return problems.map(({ code, message }) => `${code}: ${message}`);
}
