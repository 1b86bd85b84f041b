import { printable } from "../terminal/printable.ts";

/** One workflow command on a line of its own, its texts from outside made harmless. */
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

/** `##[` would start a command of the older form, anywhere in a line. */
function dataText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("##[", "# #[");
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Console output as GitHub may read it: no line of it, whatever untrusted input holds, is a workflow command. */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "# #[");
}
