import { createHash } from "node:crypto";
import { markOf } from "./marks.ts";
import { ownWords } from "./own-words.ts";
import { type ExportRequest, type Json, type Recording, requestsOf } from "./recordings.ts";
import { contentsOf } from "./truth.ts";

/** Formats of ids from providers and frameworks. */
const prefixedId =
  /(?<![A-Za-z0-9_])(?:chatcmpl-|resp_|msg_|call_|toolu_|tooluse_|fc_|run-|gen-|lc_run-)[\w-]{6,}/g;
const uuid = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}\b/gi;
/** Attributes whose value is the id of a conversation, call or response. */
const idKey = /(?:session|thread|conversation|chat|run|call|response|request|message|group)[._]?id$/i;
const SECOND = 1_000_000_000n;

/** A recording that can be copied. Each copy has other ids, times and texts; equal ids and words stay equal within a copy. */
export class Replica {
  readonly requests: readonly ExportRequest[];
  readonly #words: RegExp | null;
  readonly #ids: RegExp | null;

  constructor(recording: Recording) {
    this.requests = requestsOf(recording);
    const documents = this.requests.map(({ document }) => document);
    this.#words = ownWords(contentsOf(recording, this.requests), documents);
    this.#ids = literalIds(documents);
  }

  /** Copies with different numbers share only the texts that are not renewed, for example system prompts of the framework. */
  copy(number: number): ExportRequest[] {
    const renew = this.#renewer(number);
    return this.requests.map(({ signal, document }) => ({ signal, document: renew(document) as Json }));
  }

  #renewer(number: number): (value: unknown, key?: string) => unknown {
    const mark = markOf(number);
    const shiftNs = SECOND * BigInt(number);
    const renewText = (text: string): string => {
      const marked = text.replaceAll(prefixedId, `$&${mark}`).replaceAll(uuid, `$1${mark}`);
      const withIds = this.#ids === null ? marked : marked.replaceAll(this.#ids, `$&${mark}`);
      return this.#words === null ? withIds : withIds.replaceAll(this.#words, `$&${mark}`);
    };
    const renew = (value: unknown, key = ""): unknown => {
      if (typeof value === "string") return renewString(value, key);
      if (Array.isArray(value)) return value.map((inner: unknown) => renew(inner));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renew(inner, name)]));
    };
    const renewString = (value: string, key: string): string => {
      if (key === "key" || key === "schemaUrl" || value === "") return value;
      if (/^(?:traceId|spanId|parentSpanId)$/.test(key)) return hashed(value, number);
      if (key.endsWith("UnixNano")) return value === "0" ? value : String(BigInt(value) + shiftNs);
      return renewText(value);
    };
    return renew;
  }
}

function hashed(id: string, number: number): string {
  return createHash("md5").update(`${number}/${id}`).digest("hex").slice(0, id.length);
}

/** Values of id attributes whose format is not one of the known formats above. */
function literalIds(documents: readonly Json[]): RegExp | null {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { key, value: given } = value as { key?: unknown; value?: { stringValue?: unknown } };
    const id = given?.stringValue;
    if (typeof key === "string" && idKey.test(key) && typeof id === "string" && isOpaque(id)) found.add(id);
    for (const inner of Object.values(value)) visit(inner);
  };
  documents.forEach(visit);
  const literals = [...found].sort((a, b) => b.length - a.length).map(escaped);
  return literals.length === 0 ? null : new RegExp(`(?<![\\w-])(?:${literals.join("|")})(?![\\w-])`, "g");
}

/** Whether an id is a single word of at least 6 characters, and has none of the known formats. */
function isOpaque(id: string): boolean {
  return /^[\w:.-]{6,}$/.test(id) && id.search(prefixedId) !== 0 && id.search(uuid) < 0;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}
