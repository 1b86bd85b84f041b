import { foldName } from "../../evaluate/rules/fold-name.ts";

const mostKept = 4096;

/**
 * Folds agent names for comparison, without case and separators: `RagAgent`, `rag-agent` and `rag_agent` are equal. Caches a limited number
 * of names.
 */
export class AgentNames {
  private readonly folded = new Map<string, string>();

  fold(name: string): string {
    let folded = this.folded.get(name);
    if (folded === undefined) {
      if (this.folded.size >= mostKept) this.folded.clear();
      folded = foldAgentName(name);
      this.folded.set(name, folded);
    }
    return folded;
  }
}

/** Folds an agent's name like a tool's name (`foldName`). A name that consists of separators only keeps its separators. */
export function foldAgentName(name: string): string {
  const folded = foldName(name);
  return folded === "" ? name.normalize("NFKC") : folded;
}
