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

/** Returns the name in lower case without separators. A name of only separators keeps its separators. */
export function foldAgentName(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase();
  const joined = folded.replaceAll(/[\s_.:/-]+/g, "");
  return joined === "" ? folded : joined;
}
