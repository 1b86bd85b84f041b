import { foldName } from "../../evaluate/rules/fold-name.ts";

/** Folds an agent's name like a tool's name (`foldName`). A name that consists of separators only keeps its separators. */
export function foldAgentName(name: string): string {
  const folded = foldName(name);
  return folded === "" ? name.normalize("NFKC") : folded;
}
