import { type LevelWithSilent, type Logger, pino } from "pino";
import { escapeControls } from "../../structures/control-characters.ts";
import { prettyLine } from "./pretty-line.ts";

export type Log = Logger;

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** `auto`: plain text on a terminal, JSON elsewhere. */
  readonly format: "auto" | "json" | "pretty";
  /** Values that must never be printed: keys, tokens, header values. */
  readonly secrets?: () => readonly string[];
  /** Where lines go; stderr by default. */
  readonly stream?: { write(line: string): unknown; readonly isTTY?: boolean };
}

/** Fields that hold credentials whatever their value is. */
const secretFields = [
  "authorization",
  "cookie",
  "password",
  "token",
  "secret",
  "api_key",
  "apiKey",
  "x-api-key",
];
const withheld = "[redacted]";

/** Our own log: one line an event, on stderr, free of secrets. */
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

/** Replaces every given secret, as it is and as JSON writes it. Values too short to be one are left alone. */
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
