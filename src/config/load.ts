import type { z } from "zod";
import { withoutEmpty } from "../spec/document/merge.ts";
import {
  type DocumentNode,
  mapNode,
  mapScalars,
  nodeAt,
  type ScalarNode,
  toValue,
} from "../spec/document/node.ts";
import { fileProblem, hasErrors, type Problem, sortProblems } from "../spec/document/problems/problem.ts";
import { readDocument } from "../spec/document/read-document.ts";
import { schemaProblems } from "../spec/document/problems/schema-problems.ts";
import { shown } from "../spec/document/problems/issue-words.ts";
import type { SourceReader } from "../spec/document/source-reader.ts";
import type { Config } from "./config.ts";
import { type Origin, originsOf } from "./document/origins.ts";
import { resolveConfig } from "./resolve.ts";
import { type ConfigDocument, configSchema } from "./schema.ts";
import { isSetName, mergeAll, readSetValue, setName } from "./document/set-values.ts";
import { substitute } from "./document/substitute.ts";

const secretName = /key|token|secret|password|authorization|credential|cookie/i;
const shortestSecretPath = 16;

export interface ConfigSources {
  /**
   * Paths of configuration files. For each key, the value in a later file replaces the value in an earlier file. A list is replaced
   * completely.
   */
  readonly files: readonly string[];
  /** `--set` arguments `a.b=VALUE`, which take precedence over files. */
  readonly set: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly reader: SourceReader;
}

interface Read {
  /** Errors and warnings. */
  readonly problems: readonly Problem[];
  /** Texts of files and `--set` arguments for code frames, with masked secrets. */
  readonly texts: ReadonlyMap<string, string>;
}

export type LoadedConfig =
  | (Read & {
      readonly ok: true;
      readonly config: Config;
      /** The configuration with defaults, as `config print` shows it. */
      readonly document: ConfigDocument;
      /** Source of each value, by dotted path. */
      readonly origins: ReadonlyMap<string, Origin>;
      /** Secrets, which must not be printed. */
      readonly secrets: readonly string[];
    })
  | (Read & { readonly ok: false });

/**
 * Depth of nesting down to which a key without a value counts as absent: two levels of sections, and the entries of their lists and maps.
 */
const emptyDepth = 4;
const noKeys: ReadonlySet<string> = new Set();

/** Loads the configuration from files, `--set` arguments and environment. Never throws; the result contains all problems. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const problems: Problem[] = [];
  const texts = new Map<string, string>();
  const documents = [...readFiles(sources, problems, texts), ...readSets(sources, problems, texts)];
  const merged = mergeAll(documents) ?? mapNode({ file: "", line: 1, column: 1, length: 1 }, new Map());
  const unmet: Problem[] = [];
  const { root, replaced } = substitute(merged, sources, unmet);
  const { node, result } = parse(withoutEmpty(root, emptyDepth, noKeys), replaced);
  if (!result.success) {
    const options = { area: "config", subject: "the configuration" };
    const found = schemaProblems(result.error.issues, node, configSchema, options);
    // A failed substitution leaves an empty text. Other problems at the same position are only a consequence, and are not reported.
    const ours = found.filter((problem) => !unmet.some((other) => samePlace(problem, other)));
    problems.push(...ours.map((problem) => withoutValues(problem, replaced)));
  }
  problems.push(...unmet);
  const secrets = secretsOf(node, replaced);
  const all = sortProblems(problems).map((problem) => withoutSecrets(problem, secrets));
  const shownTexts = new Map(
    [...texts].map(([file, text]) => [masked(file, secrets), masked(text, secrets)]),
  );
  if (!result.success || hasErrors(all)) return { ok: false, problems: all, texts: shownTexts };
  const document = result.data;
  return {
    ok: true,
    config: resolveConfig(document),
    document,
    origins: originsOf(document, node),
    secrets,
    problems: all,
    texts: shownTexts,
  };
}

/** Removes substituted values from a message. A substituted value can be a secret, even at a key for which none is expected. */
function withoutValues(problem: Problem, replaced: ReadonlySet<DocumentNode>): Problem {
  let { message } = problem;
  for (const node of replaced) {
    if (node.kind !== "scalar" || typeof node.value !== "string" || node.value === "") continue;
    for (const text of [shown(node.value), `"${node.value}"`])
      message = message.replaceAll(text, "the substituted value");
  }
  return { ...problem, message };
}

/** Minimum length of a masked secret. Shorter secrets are not masked, because this would hide ordinary words. */
const SHORTEST_MASKED = 4;

/** Masks secrets without changing the length of the text, so that the carets in code frames stay below the right characters. */
function masked(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_MASKED)
    .reduce((left, secret) => left.replaceAll(secret, "*".repeat(secret.length)), text);
}

/** Masks secrets in the name of a source. Only `--set` arguments can contain secrets, not paths. */
function maskedName(file: string, secrets: readonly string[]): string {
  return isSetName(file) ? masked(file, secrets) : file;
}

function withoutSecrets(problem: Problem, secrets: readonly string[]): Problem {
  const { file, message, hint } = problem;
  return {
    ...problem,
    file: maskedName(file, secrets),
    message: masked(message, secrets),
    hint: hint && masked(hint, secrets),
  };
}

function samePlace(a: Problem, b: Problem): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}

function readFiles(
  { files, reader }: ConfigSources,
  problems: Problem[],
  texts: Map<string, string>,
): DocumentNode[] {
  return files.flatMap((file) => {
    const read = reader.read(file);
    if (!read.ok) {
      problems.push(
        fileProblem(file, "config/unreadable-file", `cannot read the configuration: ${read.reason}`),
      );
      return [];
    }
    const document = readDocument({ file, text: read.text, realPath: read.realPath }, { reader });
    problems.push(...document.problems);
    for (const [name, text] of document.texts) texts.set(name, text);
    return document.root && !isNothing(document.root) ? [withoutExtensions(document.root)] : [];
  });
}

/** Whether a document contains only comments. Such a document is a valid configuration, because all keys are optional. */
function isNothing(root: DocumentNode): boolean {
  return root.kind === "scalar" && root.text.trim() === "";
}

function readSets({ set }: ConfigSources, problems: Problem[], texts: Map<string, string>): DocumentNode[] {
  return set.flatMap((argument) => {
    texts.set(setName(argument), argument);
    const node = readSetValue(argument, problems);
    return node ? [node] : [];
  });
}

interface Parsed {
  readonly node: DocumentNode;
  readonly result: z.ZodSafeParseResult<ConfigDocument>;
}

/** Makes zod validate without compiling functions, because each schema is used only once. */
const once = { jitless: true };

/**
 * Validates the document. Substituted texts, for example of environment variables, are converted to numbers or booleans where the schema
 * requires these.
 */
function parse(root: DocumentNode, replaced: ReadonlySet<DocumentNode>): Parsed {
  const result = configSchema.safeParse(toValue(root), once);
  if (result.success) return { node: root, result };
  const mistaken = result.error.issues.flatMap((issue) => {
    const node = issue.code === "invalid_type" ? nodeAt(root, issue.path) : undefined;
    return node && replaced.has(node) ? [node] : [];
  });
  if (mistaken.length === 0) return { node: root, result };
  const node = coerceText(root, new Set(mistaken));
  return { node, result: configSchema.safeParse(toValue(node), once) };
}

/** Removes root keys that begin with `x-`. Users can put anything there, such as YAML anchors. */
function withoutExtensions(root: DocumentNode): DocumentNode {
  if (root.kind !== "map") return root;
  return mapNode(root.at, new Map([...root.entries].filter(([key]) => !key.startsWith("x-"))));
}

/** Converts texts as YAML converts unquoted text: `true` becomes a boolean, `12` a number. */
function coerceText(root: DocumentNode, nodes: ReadonlySet<DocumentNode>): DocumentNode {
  return mapScalars(root, (node) => (nodes.has(node) ? { ...node, value: plainValue(node) } : node));
}

function plainValue({ text, value }: ScalarNode): ScalarNode["value"] {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : value;
}

/**
 * Returns the secrets, which must not be printed: header values, values of keys such as `password`, passwords in URLs, and webhook paths,
 * which often contain secrets. Skips dialects, because their keys, such as `input_tokens`, do not contain secrets.
 */
function secretsOf(root: DocumentNode, replaced: ReadonlySet<DocumentNode>): string[] {
  const found = new Set<string>();
  const visit = (node: DocumentNode, secret: boolean, inHeaders: boolean, inWebhook: boolean) => {
    if (node.kind === "list") {
      for (const item of node.items) visit(item, secret, inHeaders, inWebhook);
    } else if (node.kind === "map") {
      for (const [key, entry] of node.entries) {
        if (node === root && key === "dialects") continue;
        const headers = inHeaders || key === "headers";
        const webhook = inWebhook || key === "webhook";
        visit(entry.node, headers || isSecret(key, entry.node), headers, webhook);
      }
    } else if (typeof node.value === "string" && node.value !== "") {
      if (secret) found.add(node.value);
      const path = inWebhook ? secretPath(node.value) : undefined;
      if (path !== undefined) found.add(path);
      const password = /^\w+:\/\/[^/@]*?:([^/]+)@/.exec(node.value)?.[1];
      if (password !== undefined) found.add(password);
    }
  };
  const isSecret = (key: string, node: DocumentNode) => {
    if (key.endsWith("_file")) return false;
    // The value of `key_env` is the name of a variable and no secret. But if it was substituted, it may be a secret.
    return secretName.test(key) && (!key.endsWith("_env") || replaced.has(node));
  };
  visit(root, false, false, false);
  return [...found];
}

/** Returns the path of a URL if it is long enough to contain a secret; otherwise undefined. */
function secretPath(url: string): string | undefined {
  const path = /^https?:\/\/[^/?#]+([/?].*)$/i.exec(url)?.[1];
  return path !== undefined && path.length >= shortestSecretPath ? path : undefined;
}
