/** Headers that apply to one connection, and not to the message. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Returns the headers to forward: all except headers of the connection and `Host`. */
export function passedHeaders(rawHeaders: readonly string[]): Record<string, string[]> {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    pairs.push([(rawHeaders[at] ?? "").toLowerCase(), rawHeaders[at + 1] ?? ""]);
  const named = new Set(
    pairs.filter(([name]) => name === "connection").flatMap(([, value]) => value.split(",").map(trimmed)),
  );
  const passed: Record<string, string[]> = {};
  for (const [name, value] of pairs)
    if (name !== "host" && name !== "expect" && !hopByHop.has(name) && !named.has(name))
      (passed[name] ??= []).push(value);
  return passed;
}

function trimmed(name: string): string {
  return name.trim().toLowerCase();
}
