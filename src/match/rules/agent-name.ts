import { foldName } from "../../evaluate/rules/fold-name.ts";

/** Folds an agent's name like a tool's name (`foldName`). If a name consists of separators only, the separators are not removed. */
export function foldAgentName(name: string): string {
  const folded = foldName(name);
  return folded === "" ? name.normalize("NFKC") : folded;
}
