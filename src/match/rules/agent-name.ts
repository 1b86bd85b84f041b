const mostKept = 4096;

/**
 * Agent names as far as they are compared: without case and separators, so that `RagAgent`, `rag-agent` and `rag_agent` are one.
 * Folded names are kept, a bounded number of them.
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

export function foldAgentName(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase();
  const joined = folded.replaceAll(/[\s_.:/-]+/g, "");
  return joined === "" ? folded : joined;
}
