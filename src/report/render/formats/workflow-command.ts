import { printable } from "../terminal/printable.ts";

/** Returns one workflow command on its own line, with escaped untrusted texts. */
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

/** Escapes text; `##[` would start a command of the older form anywhere in a line. */
function dataText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("##[", "# #[");
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Returns console output in which no line is a workflow command, whatever untrusted input it contains. */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}
