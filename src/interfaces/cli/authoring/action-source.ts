import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../../support/process/package-folder.ts";

/** Placeholder that a generated workflow contains if the owner of Tracejury's GitHub repository is unknown. */
export const UNKNOWN_OWNER = "OWNER";
const UNKNOWN_COMMIT = "COMMIT";

let found: string | undefined;

/**
 * Returns the name of the action for a workflow: the GitHub repository and commit of the running clone. The
 * owner is `OWNER` if the clone is not from GitHub. The commit is `COMMIT` if Tracejury does not run from a
 * clone.
 */
export function actionOfThisClone(): string {
  return (found ??= readAction());
}

function readAction(): string {
  const folder = fileURLToPath(packageFolder());
  if (!existsSync(join(folder, ".git"))) return `${UNKNOWN_OWNER}/tracejury@${UNKNOWN_COMMIT}`;
  const git = (...words: readonly string[]): string =>
    (spawnSync("git", ["-C", folder, ...words], { encoding: "utf8" }).stdout ?? "").trim();
  const repository = /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
    git("remote", "get-url", "origin"),
  );
  const [commit = UNKNOWN_COMMIT] = /^[0-9a-f]{40}$/.exec(git("rev-parse", "HEAD")) ?? [];
  return `${repository?.[1] ?? `${UNKNOWN_OWNER}/tracejury`}@${commit}`;
}

/** Describes how to replace the placeholders in the name of an action. */
export function placeholderText(action: string): string {
  return action.endsWith(`@${UNKNOWN_COMMIT}`)
    ? `write the repository and commit of your copy of tracejury instead of ${action}`
    : `push the clone of tracejury to GitHub, and write its owner instead of ${UNKNOWN_OWNER} in ${action}`;
}
