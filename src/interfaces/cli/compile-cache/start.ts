import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { crc32 } from "node:zlib";
import { CacheFile } from "./cache-file.ts";
import { openCacheFolder, thisMachine } from "./cache-folder.ts";
import { ModuleLoader } from "./module-loader.ts";

/** What the command's module exports. */
interface Command {
  readonly main: (argv: readonly string[]) => Promise<void>;
  readonly isCommand: (name: string | undefined) => boolean;
}

/** Without `keepCompiled`, V8 drops the code of start-up functions after more work. */
const MOST_CPU_SECONDS = 10;

/** Long-running commands, for which V8's own optimisation is better. */
const LASTING = new Set(["serve", "mcp"]);

/**
 * Node 20 optimises functions that a short command calls some hundred times, and then throws most of that code away because the next framework's
 * spans look different. Waiting for 4.5 times the usual work takes 40 % off the CPU time of `test` on 1,340 recordings, each once, and nothing is lost
 * on six copies of them. Later versions have a compiler in between and are left as they are.
 */
function optimiseLater(): void {
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=600000");
}

/**
 * V8 drops the code of functions that only run at the start, after a few collections of garbage: what a long first run keeps for later ones would
 * lack just that, and each later start would take a third more.
 */
function keepCompiled(): void {
  setFlagsFromString("--no-flush-bytecode");
}

/**
 * Runs the command line whose module is in this file, with its code as an earlier run of the same command compiled it. That is read from a folder
 * that only the user can write; without such a folder, or with NODE_DISABLE_COMPILE_CACHE, everything is compiled anew.
 */
export async function start(file: string, argv: readonly string[]): Promise<void> {
  const isLasting = LASTING.has(argv[2] ?? "");
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

/** Whether NODE_COMPILE_CACHE has Node itself keep compiled code, from Node 22.1 on. */
function isKeptByNode(): boolean {
  const folderOf: unknown = Reflect.get(nodeModule, "getCompileCacheDir");
  return typeof folderOf === "function" && folderOf() !== undefined;
}

/** What compiled code depends on: this build of the package, where it is, the version of Node, and the options of V8. */
function buildOf(file: string, tag: number): string {
  const content = readFileSync(join(dirname(file), "content-hash.txt"), "utf8").trim();
  const place = crc32(file).toString(16).padStart(8, "0");
  return `${process.version}-${process.arch}-${tag.toString(16)}-${content}-${place}`;
}
