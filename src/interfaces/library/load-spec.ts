import { readSpec } from "../../config/command-settings.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { renderProblem } from "../../spec/document/problems/frame.ts";
import { TracejuryError } from "./settings.ts";

/**
 * Reads one spec file.
 * @throws TracejuryError with every problem of the file, each with its place and a fix
 */
export function loadSpec(file: string): CompiledSpec {
  const loaded = readSpec(file);
  if (loaded.ok) return loaded.spec;
  const told = loaded.problems.map((problem) => renderProblem(problem, loaded.texts.get(problem.file)));
  throw new TracejuryError(told.join("\n\n"));
}
