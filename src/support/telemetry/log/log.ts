import { type LevelWithSilent, type Logger, pino } from "pino";
import { CONTROLS, escapeControls, HIDDEN } from "../../structures/control-characters.ts";
import { documentBounds, isObject, type JsonValue, parseJson } from "../../../model/json.ts";
import { wordList } from "../../structures/word-list.ts";

const EVERY_MS = 60_000;
/** Maximum number of kinds of log lines that are remembered. When this number is exceeded, the oldest kind is forgotten. */
const MOST_KINDS = 1_000;

/** Fields that identify the kind of a log line, together with its message. */
const SOURCES = ["exporter", "signal", "destination", "reason"] as const;

const marks: Readonly<Record<string, string>> = {
  fatal: "FATAL",
  error: "ERROR",
  warn: "WARN ",
  info: "info ",
  debug: "debug",
};

const UNPRINTABLE = new RegExp(`(?!\\n)(?:[${CONTROLS}]|${HIDDEN})`, "g");

export type Log = Logger;

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** Format of the lines. `auto` is plain text on a terminal, otherwise JSON. */
  readonly format: "auto" | "json" | "pretty";
  /** Returns values that must not be logged: keys, tokens, header values. */
  readonly secrets?: () => readonly string[];
  /** Stream to which lines are written. The default is stderr. */
  readonly stream?: { write(line: string): unknown; readonly isTTY?: boolean };
}

/** Names of fields with credentials. The values of these fields are not logged. */
const secretFields = wordList("authorization cookie password token secret api_key apiKey x-api-key");
const withheld = "[redacted]";

/** Creates the log of the process: one line per event, on stderr, without secrets. */
export function createLog({ level, format, secrets = () => none, stream = process.stderr }: LogOptions): Log {
  const pretty = format === "pretty" || (format === "auto" && stream.isTTY === true);
  const redact = redactor(secrets);
  const paths = secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: withheld },
    },
    { write: (line) => stream.write(escapeControls(redact(pretty ? prettyLine(line) : line))) },
  );
}

const none: readonly string[] = [];

/**
 * Returns a function that replaces secrets in a text, both in plain form and as JSON escapes them. Secrets of fewer than six characters are
 * not replaced.
 */
function redactor(secrets: () => readonly string[]): (text: string) => string {
  let known = none;
  let forms: readonly string[] = [];
  return (text) => {
    const now = secrets();
    if (now !== known) {
      known = now;
      forms = formsOf(now);
    }
    return forms.reduce((clean, form) => clean.replaceAll(form, withheld), text);
  };
}

function formsOf(secrets: readonly string[]): string[] {
  return secrets
    .filter((secret) => secret.length >= 6)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
}

/**
 * Formats a JSON log line for people, such as `12:00:01 WARN message key=value`. Control characters, and
 * characters that reorder or hide text, become U+FFFD.
 */
function prettyLine(line: string): string {
  const parsed = parseJson(line, documentBounds);
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

function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, "\ufffd");
}

/** Log for warnings and errors that senders and backends can cause often. Both methods return true if the line was written. */
export interface LimitedLog {
  warn(details: Details, message: string): boolean;
  error(details: Details, message: string): boolean;
}

type Details = Readonly<Record<string, unknown>>;

interface Kind {
  writtenMs: number;
  suppressed: number;
}

/**
 * Returns a log that writes each kind of line at most once a minute. The field `suppressed` of the next line of this kind contains the
 * number of omitted lines. A kind is a message with its exporter, signal, destination and reason.
 */
export function limitedLog(
  log: Pick<Log, "warn" | "error">,
  now: () => number = performance.now.bind(performance),
): LimitedLog {
  const kinds = new Map<string, Kind>();
  const write = (level: "warn" | "error", details: Details, message: string): boolean => {
    const key = JSON.stringify([message, ...SOURCES.map((name) => details[name] ?? null)]);
    const known = kinds.get(key);
    if (known !== undefined && now() - known.writtenMs < EVERY_MS) {
      known.suppressed++;
      return false;
    }
    if (kinds.size >= MOST_KINDS) kinds.delete(kinds.keys().next().value ?? "");
    kinds.set(key, { writtenMs: now(), suppressed: 0 });
    const suppressed = known?.suppressed ?? 0;
    log[level](suppressed === 0 ? details : { ...details, suppressed }, message);
    return true;
  };
  return {
    warn: (details, message) => write("warn", details, message),
    error: (details, message) => write("error", details, message),
  };
}
