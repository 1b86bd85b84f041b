import { foldName } from "../../evaluate/fold-name.ts";

/** An index takes no longer ones. */
const LONGEST = 500;

/** An agent's name as it is compared. */
export function foldAgent(name: string | null): string | null {
  return name === null ? null : foldName(name).slice(0, LONGEST);
}
