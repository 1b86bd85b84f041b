import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../../support/process/package-folder.ts";

/** Placeholder in a generated workflow for the action, if its repository is unknown. */
export const UNKNOWN_ACTION = "OWNER/tracejury@COMMIT";

let found: string | undefined;

/**
 * Returns the name of the action in a workflow: the GitHub repository and commit of the running clone.
 * Outside of a clone, returns `UNKNOWN_ACTION`.
 */
export function actionOfThisClone(): string {
  return (found ??= readAction());
}

function readAction(): string {
  const folder = fileURLToPath(packageFolder());
  if (!existsSync(join(folder, ".git"))) return UNKNOWN_ACTION;
  const git = (...words: readonly string[]): string =>
    (spawnSync("git", ["-C", folder, ...words], { encoding: "utf8" }).stdout ?? "").trim();
  const repository = /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
    git("remote", "get-url", "origin"),
  );
  const commit = /^[0-9a-f]{40}$/.exec(git("rev-parse", "HEAD"));
  return repository?.[1] === undefined || commit === null ? UNKNOWN_ACTION : `${repository[1]}@${commit[0]}`;
}
