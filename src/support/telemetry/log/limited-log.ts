import type { Log } from "./log.ts";

const EVERY_MS = 60_000;
/**
 * Maximum number of kinds of log lines that are remembered. Above this number, the oldest kind is forgotten.
 */
const MOST_KINDS = 1_000;

/**
 * Log for warnings and errors that senders and backends can cause often. Both methods return whether the line
 * was written.
 */
export interface LimitedLog {
  warn(details: Details, message: string): boolean;
  error(details: Details, message: string): boolean;
}

type Details = Readonly<Record<string, unknown>>;

/** Fields that identify the kind of a log line, together with its message. */
const SOURCES = ["exporter", "signal", "destination", "reason"] as const;

interface Kind {
  writtenMs: number;
  suppressed: number;
}

/**
 * Returns a log that writes each kind of line at most once a minute. The next line of the kind has the number
 * of omitted lines in `suppressed`. A kind is a message with its exporter, signal, destination and reason.
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
