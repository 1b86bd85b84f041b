import { stripVTControlCharacters } from "node:util";
import { printable } from "../../../report/render/terminal/printable.ts";

/** Matches an address with a port, as exporters in several languages print it. */
const ADDRESS =
  /https?:\/\/[^\s:/'"]+:(\d+)|(?:\blocalhost|\d+\.\d+\.\d+\.\d+|\]):(\d+)|port=(\d+)|[\w.-]:(431[78])\b/g;
const TELEMETRY =
  /\botlp|opentelemetry|\/v1\/(?:traces|logs|metrics)\b|\b(?:spans?|traces?|tracing|telemetry|export(?:er|ing)?)\b/i;
const REFUSED = /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|connection refused|UNAVAILABLE/i;
const NOT_EXPORTED = /fail\w* to export|export\w* (?:failed|error)|OTLPExporterError/i;

const LONGEST_LINE = 160;

/**
 * Finds a line of an agent's output that shows that telemetry was sent to an address other than `endpoint`, or could not be sent. Returns
 * null if no line shows this.
 */
export function exportErrorIn(output: string, endpoint: string): string | null {
  const { port } = new URL(endpoint);
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const portsIn = (line: string): string[] =>
    [...line.matchAll(ADDRESS)].map(([, ...found]) => found.find((one) => one !== undefined) ?? "");
  const elsewhere = lines.filter((line) => portsIn(line).some((one) => one !== port));
  const line =
    elsewhere.find((one) => TELEMETRY.test(one)) ??
    elsewhere.find((one) => REFUSED.test(one)) ??
    lines.find((one) => NOT_EXPORTED.test(one) && !portsIn(one).includes(port));
  // OpenTelemetry's SDK for Node prints an error as JSON that begins with the stack; the message follows.
  return line === undefined ? null : printable(/"message":"([^"]+)"/.exec(line)?.[1] ?? line, LONGEST_LINE);
}
