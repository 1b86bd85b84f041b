import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Recording, recordingsBelow } from "../../../bench/data/real/recordings.ts";

/** Recordings that are read and scored together: a folder of folders, one for each producer. */
export interface RecordingSet {
  readonly name: string;
  readonly root: string;
  readonly recordings: readonly Recording[];
}

const rootsByName: Readonly<Record<string, string>> = {
  own: "test/fixtures/recordings",
  ...Object.fromEntries(
    ["js", "py", "py-more", "cli", "lang"].map((name) => [name, join("../shared/recordings", name)]),
  ),
};

const setNames: readonly string[] = Object.keys(rootsByName);

/** Producers' folders by half: rules are written for the first half, and only measured on the second. */
type Half = "seen" | "checked";
const splitFile = "test/fixtures/recordings/split.json";

/** The sets, by name or folder; without any, all named ones that are on this machine. Sets without a recording are left out. */
export function recordingSets(
  wanted: readonly string[],
  only: string | undefined,
  pattern = new RegExp(""),
): readonly RecordingSet[] {
  const isInHalf = only === undefined ? () => true : memberOf(halfNamed(only));
  const names = wanted.length > 0 ? wanted : setNames.filter((name) => existsSync(rootsByName[name] ?? name));
  const sets = names.map((name): RecordingSet => {
    const root = rootsByName[name] ?? name;
    if (!existsSync(root) || !statSync(root).isDirectory())
      throw new Error(`${name}: no folder ${root}; give one of ${setNames.join(", ")}, or a folder`);
    const recordings = recordingsBelow([root]).filter(
      (recording) => isInHalf(producerFolder(recording)) && pattern.test(recording.name),
    );
    return { name, root, recordings };
  });
  const filled = sets.filter(({ recordings }) => recordings.length > 0);
  if (filled.length === 0) throw new Error(`no recordings of ${only ?? "that kind"} in ${names.join(", ")}`);
  return filled;
}

/** In which half a producer belongs: by a hash of its name without versions, so that nobody chooses and all versions are together. */
export function halfOf(folder: string): Half {
  const producer = folder.replace(/-logs-only$/, "").replace(/-?\d[\d.]*/g, "");
  const [byte = 0] = createHash("sha256").update(producer).digest();
  return byte % 2 === 0 ? "checked" : "seen";
}

function producerFolder({ name }: Recording): string {
  return name.split("/")[0] ?? name;
}

function halfNamed(only: string): Half {
  if (only !== "seen" && only !== "checked") throw new Error(`--only ${only}: give seen or checked`);
  return only;
}

function memberOf(half: Half): (folder: string) => boolean {
  const folders = new Set((JSON.parse(readFileSync(splitFile, "utf8")) as Record<Half, string[]>)[half]);
  return (folder) => folders.has(folder);
}
