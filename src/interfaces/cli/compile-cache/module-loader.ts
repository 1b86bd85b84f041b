import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";
import type { CompiledCode, CompiledSources } from "./compiled-code.ts";

type Require = (id: string) => unknown;
type ModuleFunction = (
  exports: unknown,
  require: Require,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

interface Loaded {
  readonly script: Script;
  readonly sourceCrc: number;
}

const HEAD = "(function (exports, require, module, __filename, __dirname) { ";
const TAIL = "\n})";

/**
 * Loads CommonJS modules as Node does, but uses compiled code from the cache. The loader handles files that end with `.cjs`, including
 * libraries. Node itself loads files with another extension.
 */
export class ModuleLoader {
  readonly #compiled: CompiledSources;
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #loaded = new Map<string, Loaded>();
  #isComplete = true;

  constructor(compiled: CompiledSources) {
    this.#compiled = compiled;
  }

  load(path: string): unknown {
    const known = this.#modules.get(path);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    this.#modules.set(path, module);
    try {
      const run = this.#compile(path).runInThisContext() as ModuleFunction;
      run(module.exports, this.#requireFrom(path), module, path, dirname(path));
    } catch (error) {
      this.#modules.delete(path);
      throw error;
    }
    return module.exports;
  }

  /** Whether the cache contained code for all loaded modules. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Returns the code of all loaded modules. It includes functions that were compiled after loading, and code that was read from the cache.
   */
  compiled(): CompiledSources {
    const sources = new Map<string, CompiledCode>(this.#compiled);
    for (const [path, { script, sourceCrc }] of this.#loaded)
      sources.set(path, { sourceCrc, data: script.createCachedData() });
    return sources;
  }

  #compile(path: string): Script {
    const bytes = readFileSync(path);
    const sourceCrc = crc32(bytes);
    const before = this.#compiled.get(path);
    const cachedData = before?.sourceCrc === sourceCrc ? before.data : undefined;
    const script = new Script(HEAD + bytes.toString() + TAIL, {
      filename: path,
      columnOffset: -HEAD.length,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#isComplete = false;
    this.#loaded.set(path, { script, sourceCrc });
    return script;
  }

  #requireFrom(path: string): Require {
    const folder = dirname(path);
    let requireByNode: NodeJS.Require | undefined;
    return (id) => {
      if (id.startsWith("./") && id.endsWith(".cjs")) return this.load(join(folder, id));
      requireByNode ??= createRequire(path);
      if (isBuiltin(id)) return requireByNode(id);
      const file = requireByNode.resolve(id);
      return file.endsWith(".cjs") ? this.load(file) : requireByNode(id);
    };
  }
}
