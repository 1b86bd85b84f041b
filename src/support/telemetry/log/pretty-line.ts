import { CONTROLS, REORDERING } from "../../structures/control-characters.ts";
import { isObject, type JsonValue, parseJson } from "../../../model/json.ts";

const marks: Readonly<Record<string, string>> = {
  fatal: "FATAL",
  error: "ERROR",
  warn: "WARN ",
  info: "info ",
  debug: "debug",
};

/** A JSON log line for people: `12:00:01 WARN  message  key=value`. Control characters cannot reach the terminal. */
export function prettyLine(line: string): string {
  const parsed = parseJson(line);
  if (!isObject(parsed)) return line;
  const { level, time, msg, ...rest } = parsed;
  const clock = typeof time === "string" ? time.slice(11, 19) : "";
  const fields = Object.entries(rest).map(([name, value]) => `  ${name}=${shown(value)}`);
  const mark = typeof level === "string" ? (marks[level] ?? level) : "";
  return `${clock} ${mark} ${printable(typeof msg === "string" ? msg : "")}${fields.join("")}\n`;
}

function shown(value: JsonValue): string {
  if (isObject(value) && typeof value["stack"] === "string") return printable(value["stack"]);
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

const UNPRINTABLE = new RegExp(`(?!\\n)[${CONTROLS}${REORDERING}]`, "g");

function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, "\ufffd");
}
