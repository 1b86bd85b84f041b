/** A workflow command, as GitHub's runner parses it. */
export interface GithubCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Parses lines as GitHub's runner does: trims spaces, decodes percent escapes. */
export function parseCommands(text: string): GithubCommand[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const found = /^::([a-z-]+)(?: (.*?))?::(.*)$/s.exec(line.trim());
    if (found === null) return [];
    const pairs = (found[2] ?? "").split(",").filter((pair) => pair !== "");
    const properties = pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), unescaped(pair.slice(at + 1))] as const;
    });
    return [
      {
        name: found[1] ?? "",
        properties: Object.fromEntries(properties),
        message: unescaped(found[3] ?? ""),
      },
    ];
  });
}

function unescaped(text: string): string {
  return text
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%25", "%");
}
