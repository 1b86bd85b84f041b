import { basename } from "node:path";
import { suggest } from "../../spec/document/problems/suggest.ts";
import { configSchema } from "../schema.ts";
import { CONFIG_NAME } from "./find-config.ts";

const configKeys = Object.keys(configSchema.shape);
const specKeys = [
  "version",
  "agent",
  "queries",
  "defaults",
  "judge_config",
  "preset",
  "baseline_dir",
  "waivers",
];

/**
 * Returns whether a YAML text is a configuration or a spec, by its root keys; misspelt keys count, too. If the keys do not decide, the text
 * is a configuration if the file is named like one, otherwise a spec. The text need not be valid YAML.
 */
export function documentKind(text: string, file = ""): "config" | "spec" {
  const keys = [...text.matchAll(/^["']?([A-Za-z]\w*)["']?[ \t]*:/gm)].map((match) => match[1] ?? "");
  const flow = [...text.slice(0, 4096).matchAll(/^\s*\{\s*["']?([A-Za-z]\w*)["']?\s*:/g)].map(
    (match) => match[1] ?? "",
  );
  const all = new Set([...keys, ...flow]);
  const likeness = (known: readonly string[]) => {
    let sum = 0;
    for (const key of all) sum += known.includes(key) ? 2 : suggest(key, known) === undefined ? 0 : 1;
    return sum;
  };
  const difference = likeness(configKeys) - likeness(specKeys);
  return difference > 0 || (difference === 0 && basename(file) === CONFIG_NAME) ? "config" : "spec";
}
