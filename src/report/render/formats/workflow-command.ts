import { printable } from "../terminal/printable.ts";

/** Returns a workflow command of GitHub Actions as a line of text. Untrusted texts are escaped. */
export function workflowCommand(
  name: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const written = Object.entries(properties).map(
    ([key, value]) => `${key}=${propertyText(printable(String(value), 300))}`,
  );
  const head = written.length === 0 ? name : `${name} ${written.join(",")}`;
  return `::${head}::${dataText(printable(message, 1000))}`;
}

/**
 * Escapes text in a workflow command. `##[` is escaped, because `##[command]` is an older form of commands.
 */
function dataText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("##[", "# #[");
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Returns console output without commands that a CI system would run. Untrusted text may contain workflow
 * commands of GitHub or Azure Pipelines, or service messages of TeamCity.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll(/#(?=#(?:\[|vso\[|teamcity\[))/g, "# ");
}

/**
 * Yields JSON without commands that a CI system would run: in each command in a text, the first character is escaped, and so is each line
 * separator of Unicode, after which some readers begin a new line.
 */
export function* withEscapedCommands(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces)
    yield piece.replaceAll(
      /#(?=#(?:\[|vso\[|teamcity\[))|[\u2028\u2029]/g,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
