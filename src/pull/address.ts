import type { WindowTexts } from "./window.ts";
import { UserError } from "../support/process/io.ts";
import { decodePercent } from "../support/structures/percent-encoding.ts";

/** Which traces of a store the user wants. Times are texts. */
export interface PullRange extends WindowTexts {
  /** Maximum number of traces. */
  readonly limit?: number | undefined;
}

export type SourceKind = "phoenix" | "langfuse" | "mlflow" | "tempo" | "jaeger" | "clickhouse" | "s3";

interface AddressForm {
  /** Example of an address for this store. */
  readonly example: string;
  /** Names of the options after `?`, in addition to `since`, `until` and `limit`. */
  readonly options: readonly string[];
}

const forms: Readonly<Record<SourceKind, AddressForm>> = {
  phoenix: { example: "phoenix:http://localhost:6006/default", options: ["service"] },
  langfuse: { example: "langfuse:https://cloud.langfuse.com", options: ["environment"] },
  mlflow: { example: "mlflow:http://localhost:5000/Default", options: [] },
  tempo: { example: "tempo:http://localhost:3200", options: ["query", "org"] },
  jaeger: { example: "jaeger:http://localhost:16686/my-service", options: [] },
  clickhouse: { example: "clickhouse:http://localhost:8123/default.otel_traces", options: ["service"] },
  s3: { example: "s3://my-bucket/traces", options: ["endpoint", "region"] },
};
const windowOptions = ["since", "until", "limit"];
const kinds = Object.keys(forms);

/** Address of a trace store, as written on the command line. */
export interface SourceAddress {
  readonly kind: SourceKind;
  /** Address for messages, without options and credentials. */
  readonly name: string;
  /** Base URL of the store, without options. */
  readonly url: URL;
  readonly options: ReadonlyMap<string, string>;
}

/** Whether an argument is the address of a store (`phoenix:…`), and not a file. */
export function isSourceAddress(argument: string): boolean {
  return kindOf(argument) !== undefined;
}

function kindOf(argument: string): SourceKind | undefined {
  const [, kind = ""] = /^([a-z0-9]+):/i.exec(argument) ?? [];
  return kinds.includes(kind.toLowerCase()) ? (kind.toLowerCase() as SourceKind) : undefined;
}

/**
 * Parses the address of a store.
 * @throws UserError if the text is not the address of a supported store
 */
export function parseSourceAddress(argument: string): SourceAddress {
  const kind = kindOf(argument);
  if (kind === undefined)
    throw new UserError(
      `${argument} is not the address of a trace store`,
      `write the store before the address: ${kinds.map((one) => forms[one as SourceKind].example).join(", ")}`,
    );
  const url = parseUrl(kind, kind === "s3" ? argument : argument.slice(kind.length + 1));
  const options = optionsOf(kind, url);
  url.search = "";
  url.hash = "";
  const name = url.href.replace(/\/$/, "");
  return { kind, name: kind === "s3" ? name : `${kind}:${name}`, url, options };
}

function parseUrl(kind: SourceKind, text: string): URL {
  const begins = kind === "s3" ? /^s3:\/\/[^/?#]/i : /^https?:\/\//i;
  const url = begins.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new UserError(
      `the address of ${kind} does not begin with http:// or https://`,
      `write it as in ${forms[kind].example}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new UserError(
      `the address ${kind}:${url.origin} contains credentials, which shell histories and logs would store`,
      "set them as environment variables instead: docs/pull.md lists the variables of each store",
    );
  return url;
}

function optionsOf(kind: SourceKind, url: URL): Map<string, string> {
  const allowed = [...windowOptions, ...forms[kind].options];
  for (const name of url.searchParams.keys())
    if (!allowed.includes(name))
      throw new UserError(
        `the address of ${kind} has the option "${name}", which is unknown`,
        `use only these options: ${allowed.join(", ")}`,
      );
  return new Map(url.searchParams);
}

/** Splits off the last path segment. Example: `http://host/base/project` becomes `http://host/base` and `project`. */
export function splitLastSegment(url: URL): { readonly base: URL; readonly last: string } {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const last = decodePercent(segments.pop() ?? "");
  const base = new URL(url);
  base.pathname = segments.join("/");
  return { base, last };
}

/**
 * Parses the maximum number of traces.
 * @throws UserError if the text is not a whole number above 0
 */
function parseLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UserError(
    `limit is "${text}", which is not a number of traces`,
    "write a whole number, as in 1000",
  );
}

/**
 * Adds the options of the address to the range. They take precedence over options of the command line.
 * @throws UserError if the limit is invalid, or if a limit is given for S3
 */
export function rangeOf({ kind, name, options }: SourceAddress, range: PullRange): PullRange {
  const limit = options.get("limit");
  if (kind === "s3" && (limit ?? range.limit) !== undefined)
    throw new UserError(
      `${name} has the option limit, but files from S3 are always copied completely`,
      "choose a shorter time with since and until",
    );
  return {
    since: options.get("since") ?? range.since,
    until: options.get("until") ?? range.until,
    limit: limit === undefined ? range.limit : parseLimit(limit),
  };
}
