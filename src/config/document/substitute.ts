import { type DocumentNode, mapScalars, type ScalarNode } from "../../spec/document/node.ts";
import { problemAt, type Problem } from "../../spec/document/problems/problem.ts";
import type { SourceReader } from "../../spec/document/source-reader.ts";
import { suggest } from "../../spec/document/problems/suggest.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly reader: SourceReader;
}

export interface Substituted {
  readonly root: DocumentNode;
  /** Text values of which at least a part was substituted. */
  readonly replaced: ReadonlySet<DocumentNode>;
}

/** Matches `${env:NAME}`, `${env:NAME:-default}`, `${file:PATH}`, `${NAME}` (short for `${env:NAME}`) and `$$` (a dollar sign). */
const reference = /\$\$|\$\{(?:(env|file):)?([^}]*)\}/g;

/**
 * Replaces references to environment variables and files in text values. References within inserted texts are not replaced. Keys, and
 * values that are no texts, do not change.
 */
export function substitute(root: DocumentNode, around: Surroundings, problems: Problem[]): Substituted {
  const replaced = new Set<DocumentNode>();
  const visit = (node: ScalarNode): ScalarNode => {
    if (typeof node.value !== "string" || !node.value.includes("$")) return node;
    const value = node.value.replaceAll(
      reference,
      (whole, kind: string | undefined, body: string | undefined) =>
        whole === "$$" ? "$" : valueOf(kind ?? "env", body ?? "", node, around, problems),
    );
    const result: ScalarNode = { ...node, value, text: value };
    replaced.add(result);
    return result;
  };
  return { root: mapScalars(root, visit), replaced };
}

function valueOf(
  kind: string,
  body: string,
  node: ScalarNode,
  around: Surroundings,
  problems: Problem[],
): string {
  if (kind === "file") return fileContent(body, node, around.reader, problems);
  const [name, fallback] = splitDefault(body);
  const value = around.env[name];
  if (value !== undefined && (value !== "" || fallback === undefined)) return value;
  if (fallback !== undefined) return fallback;
  const near = suggest(name, Object.keys(around.env));
  const hint = near === undefined ? `set it, or give a default: \${env:${name}:-…}` : `did you mean ${near}?`;
  problems.push(
    problemAt(node.at, "config/unset-variable", `the environment variable ${name} is not set`, hint),
  );
  return "";
}

function splitDefault(body: string): [string, string | undefined] {
  const at = body.indexOf(":-");
  return at < 0 ? [body.trim(), undefined] : [body.slice(0, at).trim(), body.slice(at + 2)];
}

/** Returns the content of a file without the line break at its end, which editors add. */
function fileContent(path: string, node: ScalarNode, reader: SourceReader, problems: Problem[]): string {
  const read = reader.read(path.trim());
  if (read.ok) return read.text.replace(/\r?\n$/, "");
  problems.push(problemAt(node.at, "config/unreadable-file", `cannot read ${path.trim()}: ${read.reason}`));
  return "";
}
