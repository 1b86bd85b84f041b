import { isAlias, isMap, isScalar, isSeq, type Alias, type Pair } from "yaml";
import { isExactInteger } from "../../model/json.ts";
import { mergeNodes } from "./merge.ts";
import {
  listNode,
  mapNode,
  nodeAt,
  scalarNode,
  type DocumentNode,
  type MapEntry,
  type MapNode,
  type Place,
} from "./node.ts";
import { parseYaml, type YamlFile } from "./parse-yaml.ts";
import { problemAt, warningAt, type Problem } from "./problems/problem.ts";
import { folderOf, isAbsolute, isInside, joinPath, type SourceReader } from "./source-reader.ts";

export interface DocumentSource {
  /** Path of the file as the user wrote it. Source positions in the file contain this path. */
  readonly file: string;
  readonly text: string;
  /** Path with symbolic links resolved; absent if the text is not from a file. */
  readonly realPath?: string;
}

export interface ReadOptions {
  /** Reads the files of `!include` and `$ref`. Without a reader, `!include` and `$ref` to files are problems. */
  readonly reader?: SourceReader;
  /** Keys with literal values, in which `$ref` is not resolved. */
  readonly opaqueKeys?: ReadonlySet<string>;
  /** Keys whose values are compared with recorded values. An integer that a JavaScript number cannot represent becomes a text. */
  readonly exactKeys?: ReadonlySet<string>;
  /** True if `!include` and `$ref` may name files outside the document's folder. */
  readonly allowOutside?: boolean;
}

export interface ReadDocument {
  /** Root of the document; undefined if no part is usable. */
  readonly root: DocumentNode | undefined;
  readonly problems: readonly Problem[];
  /** Texts of all files that were read, by the file name in source positions. */
  readonly texts: ReadonlyMap<string, string>;
}

const limits = { depth: 64, files: 256, values: 500_000 };

/** Reads a YAML document and the files that it includes. Problems are in the result; the function does not throw. */
export function readDocument(source: DocumentSource, options: ReadOptions = {}): ReadDocument {
  const builder = new DocumentBuilder(source, options);
  const root = builder.file(source.file, source.text);
  return { root, problems: builder.problems, texts: builder.texts };
}

/** Current file and position of the builder. */
interface Scope {
  readonly yaml: YamlFile;
  readonly depth: number;
  readonly opaque: boolean;
  readonly exact: boolean;
}

class DocumentBuilder {
  readonly problems: Problem[] = [];
  readonly texts = new Map<string, string>();
  private readonly options: ReadOptions;
  private readonly folder: string;
  private readonly realFolder: string;
  private readonly finished = new Map<string, DocumentNode | undefined>();
  private readonly openFiles: string[] = [];
  private readonly anchored = new Map<unknown, DocumentNode | undefined>();
  private readonly openAnchors = new Set<unknown>();
  private readonly openRefs = new Set<string>();
  private tooLarge = false;

  constructor(source: DocumentSource, options: ReadOptions) {
    this.options = options;
    this.folder = folderOf(joinPath("", source.file));
    this.realFolder = folderOf(source.realPath ?? joinPath("", source.file));
  }

  /** Returns the content of a file; undefined if no part is usable. */
  file(path: string, text: string): DocumentNode | undefined {
    this.texts.set(path, text);
    const yaml = parseYaml(path, text, this.problems);
    if (!yaml) return undefined;
    this.openFiles.push(joinPath("", path));
    const node = this.node(yaml.document.contents, { yaml, depth: 0, opaque: false, exact: false });
    this.openFiles.pop();
    return node;
  }

  private node(yamlNode: unknown, scope: Scope): DocumentNode | undefined {
    const place = scope.yaml.place(yamlNode);
    if (scope.depth > limits.depth) {
      this.problem(place, "yaml/too-deep", `nested more than ${limits.depth} levels deep`);
      return undefined;
    }
    if (isAlias(yamlNode)) return this.alias(yamlNode, place, scope);
    const built = this.plainNode(yamlNode, place, scope);
    // Each use of an alias counts in full, because a few lines of aliases could expand to a billion values.
    if (built && built.size > limits.values) return this.tooManyValues(place);
    if (hasAnchor(yamlNode)) this.anchored.set(yamlNode, built);
    return built;
  }

  private plainNode(yamlNode: unknown, place: Place, scope: Scope): DocumentNode | undefined {
    const tag = tagOf(yamlNode);
    if (tag === "!include") return this.include(yamlNode, place, scope);
    if (tag !== undefined && tag.startsWith("!"))
      this.problems.push(warningAt(place, "yaml/unknown-tag", `the tag \`${tag}\` is ignored`));
    if (isMap(yamlNode)) return this.guarded(yamlNode, () => this.map(yamlNode.items, place, scope));
    if (isSeq(yamlNode)) return this.guarded(yamlNode, () => this.list(yamlNode.items, place, scope));
    if (!isScalar(yamlNode)) return scalarNode(place, null);
    const { value, source, type } = yamlNode;
    const plain = type === "PLAIN" || type === undefined;
    if (typeof value === "bigint") return { ...scalarNode(place, Number(value), plain), text: source ?? "" };
    const digits = source?.replace(/^\+/, "") ?? "";
    if (scope.exact && typeof value === "number" && /^-?\d{16,}$/.test(digits) && !isExactInteger(digits))
      return scalarNode(place, digits, plain);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return { ...scalarNode(place, value, plain), text: source ?? String(value) };
    return scalarNode(place, null, plain);
  }

  /** Builds a node. While `build` runs, an alias to the same YAML node is circular. */
  private guarded(yamlNode: unknown, build: () => DocumentNode): DocumentNode {
    this.openAnchors.add(yamlNode);
    const node = build();
    this.openAnchors.delete(yamlNode);
    return node;
  }

  private list(items: readonly unknown[], place: Place, scope: Scope): DocumentNode {
    const nodes: DocumentNode[] = [];
    for (const item of items) {
      const node = this.node(item, deeper(scope));
      // The items of an included list replace the include.
      if (node?.kind === "list" && tagOf(item) === "!include")
        for (const shared of node.items) nodes.push(shared);
      else if (node) nodes.push(node);
      if (nodes.length > limits.values) break;
    }
    return listNode(place, nodes);
  }

  private map(pairs: readonly Pair[], place: Place, scope: Scope): DocumentNode {
    const entries = new Map<string, MapEntry>();
    const inherited: MapNode[] = [];
    for (const pair of pairs) {
      const keyAt = scope.yaml.place(pair.key);
      const key = this.key(pair.key, keyAt, scope);
      if (key === undefined) continue;
      const opaque = scope.opaque || this.options.opaqueKeys?.has(key) === true;
      const exact = scope.exact || (!scope.opaque && this.options.exactKeys?.has(key) === true);
      const node = this.node(pair.value, { ...deeper(scope), opaque, exact }) ?? scalarNode(keyAt, null);
      if (key === "<<" && isPlain(pair.key)) inherited.push(...this.mergeSources(node, keyAt));
      else if (!entries.has(key)) entries.set(key, { keyAt, node });
      else this.duplicateKey(key, keyAt, entries.get(key)?.keyAt);
    }
    for (const source of inherited)
      for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
    const node = mapNode(place, entries);
    return scope.opaque ? node : (this.reference(node, scope) ?? node);
  }

  private key(yamlKey: unknown, place: Place, scope: Scope): string | undefined {
    if (isAlias(yamlKey)) {
      const target = this.alias(yamlKey, place, scope);
      if (target?.kind === "scalar") return String(target.value);
    }
    if (isScalar(yamlKey)) return yamlKey.source ?? "";
    this.problem(place, "yaml/complex-key", "a key must be a single word or text");
    return undefined;
  }

  private duplicateKey(key: string, place: Place, first: Place | undefined): void {
    const where = first ? `; the first is on line ${first.line}` : "";
    this.problem(place, "yaml/duplicate-key", `\`${key}\` is written twice${where}`, "keep one of them");
  }

  private mergeSources(node: DocumentNode, place: Place): MapNode[] {
    const sources = node.kind === "list" ? node.items : [node];
    const maps = sources.filter((source) => source.kind === "map");
    if (maps.length < sources.length)
      this.problem(place, "yaml/bad-merge", "`<<` accepts only a map or a list of maps");
    return maps;
  }

  private alias(alias: Alias, place: Place, scope: Scope): DocumentNode | undefined {
    const target = scope.yaml.aliases.get(alias);
    if (target === undefined) {
      this.problem(place, "yaml/unknown-alias", `there is no anchor \`&${alias.source}\` above this alias`);
      return undefined;
    }
    if (this.openAnchors.has(target)) {
      const message = `the alias \`*${alias.source}\` is inside the value to which it refers`;
      this.problem(place, "yaml/circular-alias", message);
      return undefined;
    }
    return this.anchored.has(target) ? this.anchored.get(target) : this.node(target, deeper(scope));
  }

  private include(yamlNode: unknown, place: Place, scope: Scope): DocumentNode | undefined {
    const path = isScalar(yamlNode) ? yamlNode.value : undefined;
    if (typeof path === "string" && path.trim() !== "") return this.load(path.trim(), place, scope);
    this.problem(
      place,
      "include/bad-path",
      "`!include` takes one path",
      "write `!include shared/block.yaml`",
    );
    return undefined;
  }

  /** Resolves a map with `$ref`: the referenced value, merged with the other keys of the map. Undefined for a map without `$ref`. */
  private reference(map: MapNode, scope: Scope): DocumentNode | undefined {
    const ref = map.entries.get("$ref");
    if (!ref) return undefined;
    const target = ref.node.kind === "scalar" ? ref.node.value : undefined;
    if (typeof target !== "string" || target.trim() === "") {
      this.problem(
        ref.node.at,
        "include/bad-path",
        "`$ref` takes one path",
        "write `$ref: shared/block.yaml`",
      );
      return undefined;
    }
    const [path = "", pointer = ""] = target.trim().split("#", 2);
    const found = this.referenced(path, pointer, ref.node.at, scope);
    const beside = new Map(map.entries);
    beside.delete("$ref");
    if (!found || beside.size === 0) return found ?? mapNode(map.at, beside);
    return mergeNodes(found, mapNode(map.at, beside));
  }

  private referenced(path: string, pointer: string, place: Place, scope: Scope): DocumentNode | undefined {
    const file = path === "" ? scope.yaml.file : joinPath(folderOf(scope.yaml.file), path);
    const id = `${file}#${pointer}`;
    if (this.openRefs.has(id)) {
      this.problem(place, "include/loop", `\`${id}\` contains a reference to itself`);
      return undefined;
    }
    this.openRefs.add(id);
    const found = path === "" ? this.local(pointer, place, scope) : this.part(path, pointer, place, scope);
    this.openRefs.delete(id);
    return found;
  }

  /** Resolves a `$ref` into the same file. Builds the referenced part once more, because its first construction may be in progress. */
  private local(pointer: string, place: Place, scope: Scope): DocumentNode | undefined {
    const steps = pointerSteps(pointer);
    const target = steps.length > 0 ? scope.yaml.document.getIn(steps, true) : undefined;
    if (target === undefined) return this.noSuchPart(pointer, scope.yaml.file, place);
    return this.node(target, deeper(scope));
  }

  private part(path: string, pointer: string, place: Place, scope: Scope): DocumentNode | undefined {
    const file = this.load(path, place, scope);
    if (!file || pointer === "" || pointer === "/") return file;
    return nodeAt(file, pointerSteps(pointer)) ?? this.noSuchPart(pointer, path, place);
  }

  private noSuchPart(pointer: string, file: string, place: Place): undefined {
    this.problem(place, "include/no-such-part", `\`#${pointer}\` does not exist in ${file}`);
  }

  private load(path: string, place: Place, scope: Scope): DocumentNode | undefined {
    const target = joinPath(folderOf(scope.yaml.file), path);
    const outside = isAbsolute(path) || !isInside(this.folder, target);
    if (outside && !this.options.allowOutside) return this.outside(path, place);
    if (this.finished.has(target)) return this.finished.get(target);
    if (this.openFiles.includes(target)) {
      const circle = [...this.openFiles.slice(this.openFiles.indexOf(target)), target].join(" → ");
      this.problem(place, "include/loop", `files include one another in a circle: ${circle}`);
      return undefined;
    }
    const node = this.open(path, target, place);
    this.finished.set(target, node);
    return node;
  }

  private open(path: string, target: string, place: Place): DocumentNode | undefined {
    if (this.texts.size >= limits.files || this.openFiles.length >= limits.depth) {
      this.problem(
        place,
        "include/too-many",
        `more than ${limits.files} files are included, or files include one another more than ${limits.depth} levels deep`,
      );
      return undefined;
    }
    const read = this.options.reader?.read(target) ?? { ok: false, reason: "files cannot be included here" };
    if (!read.ok) {
      this.problem(
        place,
        "include/not-found",
        `cannot include ${path}: ${read.reason}`,
        relativeHint(this.folder),
      );
      return undefined;
    }
    if (!isInside(this.realFolder, read.realPath) && !this.options.allowOutside)
      return this.outside(path, place);
    if (/\.(ya?ml|json)$/i.test(target)) return this.file(target, read.text);
    this.texts.set(target, read.text);
    return scalarNode({ file: target, line: 1, column: 1, length: 1 }, read.text, false);
  }

  private outside(path: string, place: Place): undefined {
    const message = `${path} is outside the folder of this document`;
    this.problem(place, "include/outside", message, "move it into the document's folder or a folder below");
  }

  private tooManyValues(place: Place): undefined {
    const message = `the file has more than ${limits.values} values, counting each use of an alias or include`;
    if (!this.tooLarge) this.problem(place, "yaml/too-large", message, "split the document");
    this.tooLarge = true;
  }

  private problem(place: Place, code: string, message: string, hint: string | null = null): void {
    this.problems.push(problemAt(place, code, message, hint));
  }
}

function deeper(scope: Scope): Scope {
  return { ...scope, depth: scope.depth + 1 };
}

function tagOf(node: unknown): string | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined;
}

function hasAnchor(node: unknown): boolean {
  return (isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined;
}

function isPlain(node: unknown): boolean {
  return isScalar(node) && (node.type === "PLAIN" || node.type === undefined);
}

/** Returns the keys of a JSON pointer: `a` and `b/c` for `/a/b~1c`. */
function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .filter((step) => step !== "")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function relativeHint(folder: string): string {
  return `a path is relative to the file that contains the path${folder === "" ? "" : ` (here below ${folder})`}`;
}
