import { printable } from "../terminal/printable.ts";

/** Returns a workflow command as a line of text. Untrusted texts are escaped. */
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
 * Escapes text in a workflow command. `##[` is escaped because the characters start a command of an older
 * form.
 */
function dataText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("##[", "# #[");
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Returns console output in which no line is a workflow command of GitHub or Azure Pipelines, or a service message of TeamCity.
 * Untrusted input could otherwise contain a command.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll(/#(?=#(?:\[|vso\[|teamcity\[))/g, "# ");
}
