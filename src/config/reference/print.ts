import { Document, isMap, isPair, isScalar, visit } from "yaml";
import type { LoadedConfig } from "../load.ts";
import type { Origin } from "../document/origins.ts";

type Shown = Pick<Extract<LoadedConfig, { ok: true }>, "document" | "origins" | "secrets">;

const withheld = "[redacted]";

/** Returns the configuration as YAML with masked secrets. A comment shows the source of each value. */
export function printYaml({ document, origins, secrets }: Shown): string {
  const yaml = new Document(masked(document, secrets));
  visit(yaml, {
    Pair(_, pair, path) {
      const keys = [...path, pair].flatMap((node) =>
        isPair(node) && isScalar(node.key) ? [String(node.key.value)] : [],
      );
      const origin = origins.get(keys.join("."));
      if (origin === undefined) return;
      const comment = ` ${originText(origin)}`;
      if (isScalar(pair.value) || (isMap(pair.value) && pair.value.items.length === 0))
        pair.value.comment = comment;
      else if (isScalar(pair.key)) pair.key.comment = comment;
    },
  });
  return yaml.toString({ lineWidth: 0 });
}

/** Returns the configuration as a JSON object: values in `config`, their sources in `origins` by dotted path. Secrets are masked. */
export function printJson({ document, origins, secrets }: Shown): string {
  const from = Object.fromEntries([...origins].map(([path, origin]) => [path, originText(origin)]));
  return `${JSON.stringify({ config: masked(document, secrets), origins: from }, null, 2)}\n`;
}

/** Returns a copy in which secrets are masked, even within longer texts. */
function masked(document: object, secrets: readonly string[]): object {
  const parts = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  const whole = new Set(secrets);
  const mask = (value: unknown): unknown => {
    if (typeof value === "string") {
      if (whole.has(value)) return withheld;
      return parts.reduce((text, secret) => text.replaceAll(secret, withheld), value);
    }
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mask(child)]));
  };
  return mask(document) as object;
}

function originText(origin: Origin): string {
  if (origin.kind === "default") return "default";
  return origin.file.startsWith("--set ") ? "--set" : `${origin.file}:${origin.line}`;
}
