import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Recording, recordingsBelow } from "../../../bench/data/real/recordings.ts";

/** Recordings that are read and scored together: a folder with a subfolder for each producer. */
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

/** Half of the producers: rules are written for `seen`, and only measured on `checked`. */
type Half = "seen" | "checked";
const splitFile = "test/fixtures/recordings/split.json";

/** The sets by name or folder; without names, all named sets that exist on this machine. Sets without recordings are left out. */
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
      throw new Error(
        `${name}: folder ${root} does not exist. Give one of ${setNames.join(", ")}, or a folder`,
      );
    const recordings = recordingsBelow([root]).filter(
      (recording) => isInHalf(producerFolder(recording)) && pattern.test(recording.name),
    );
    return { name, root, recordings };
  });
  const filled = sets.filter(({ recordings }) => recordings.length > 0);
  if (filled.length === 0) throw new Error(`no recordings of ${only ?? "that kind"} in ${names.join(", ")}`);
  return filled;
}

/**
 * The half of a producer. It depends on a hash of the producer's name without version, so that nobody chooses it and all versions are in
 * the same half.
 */
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
