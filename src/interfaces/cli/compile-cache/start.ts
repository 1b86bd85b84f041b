import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { crc32 } from "node:zlib";
import { restartWithAllocatorSettings } from "./allocator.ts";
import { CacheFile } from "./cache-file.ts";
import { openCacheFolder, thisMachine } from "./cache-folder.ts";
import { ModuleLoader } from "./module-loader.ts";

interface Command {
  readonly main: (argv: readonly string[]) => Promise<void>;
  readonly isCommand: (name: string | undefined) => boolean;
}

/**
 * If a long-running command has used more CPU seconds than this, its compiled code is not saved, because V8 has dropped the code of
 * start-up functions. In short commands, `keepCompiled` prevents this.
 */
const MOST_CPU_SECONDS = 10;

/** Long-running commands, for which V8's default optimisation is better. */
const LASTING = new Set(["serve", "mcp"]);

/**
 * Makes Node 20 optimise functions later, at 4.5 times the default threshold. By default, Node 20 optimises functions of a short command
 * early, and must discard most of this optimised code when it reads spans of another framework. With this setting, `test` needs up to 40 %
 * less CPU time. Later Node versions have an additional compiler, so their default threshold is not changed.
 */
function optimiseLater(): void {
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=600000");
}

/**
 * Keeps the compiled code of start-up functions. By default, V8 drops this code after a few garbage collections. It would then be missing
 * in the cache, and the next start would take a third longer.
 */
function keepCompiled(): void {
  setFlagsFromString("--no-flush-bytecode");
}

/**
 * Runs the command line that `file` exports. Uses code that an earlier run of the same command compiled. The code is read from a folder to
 * which only the user can write. Without a private folder, or with NODE_DISABLE_COMPILE_CACHE, the code is compiled at each start.
 */
export async function start(file: string, argv: readonly string[]): Promise<void> {
  const isLasting = LASTING.has(argv[2] ?? "");
  if (argv[2] === "serve") restartWithAllocatorSettings(process, Reflect.get(process, "execve"));
  if (!isLasting) {
    optimiseLater();
    keepCompiled();
  }
  const machine = thisMachine();
  const isOff = (machine.env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "" || isKeptByNode();
  const folder = isOff ? undefined : openCacheFolder(machine);
  if (folder === undefined) {
    await (nodeModule.createRequire(file)(file) as Command).main(argv);
    return;
  }
  const tag = cachedDataVersionTag();
  const name = argv[2] ?? "";
  const isName = /^[a-z][a-z-]{0,30}$/.test(name);
  const cache = new CacheFile(folder, isName ? name : "help", buildOf(file, tag));
  const loader = new ModuleLoader(cache.read(machine.uid));
  const command = loader.load(file) as Command;
  await command.main(argv);
  const isKnown = !isName || command.isCommand(name);
  const isWhole = !isLasting || cpuSeconds() <= MOST_CPU_SECONDS;
  const isUsable = tag === cachedDataVersionTag() && isWhole;
  if (isKnown && isUsable && !loader.isComplete) cache.write(loader.compiled());
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Whether Node itself caches compiled code: NODE_COMPILE_CACHE is set, and Node is at least 22.1. */
function isKeptByNode(): boolean {
  const folderOf: unknown = Reflect.get(nodeModule, "getCompileCacheDir");
  return typeof folderOf === "function" && folderOf() !== undefined;
}

/**
 * Returns a text with everything on which compiled code depends: build and location of the package, Node version, processor architecture,
 * and V8's options. Compiled code can be used only if this text is the same.
 */
function buildOf(file: string, tag: number): string {
  const content = readFileSync(join(dirname(file), "content-hash.txt"), "utf8").trim();
  const place = crc32(file).toString(16).padStart(8, "0");
  return `${process.version}-${process.arch}-${tag.toString(16)}-${content}-${place}`;
}
