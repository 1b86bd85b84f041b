import { withheld } from "../../support/redact/redactor.ts";
import { SHORTEST_TEXT, TextFinder } from "./text-finder.ts";

const MOST = 10_000;
/** Names of headers, URL parameters and cookies with credentials of clients. */
const headerNames = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?)?key$|token|secret|password/i;
const parameterNames = /^(?:key|api[-_]?key|access_token|token)$/i;

/** Credentials that clients have sent, and that must not be written anywhere. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  readonly #finder = new TextFinder();
  #added = 0;

  /** Number of credentials that were added. A text that was cleaned before may contain a credential that was added since. */
  get added(): number {
    return this.#added;
  }

  add(value: string): void {
    const trimmed = value.trim();
    // A shorter value also occurs by chance in other texts.
    if (trimmed.length < SHORTEST_TEXT) return;
    if (!this.#values.delete(trimmed)) {
      this.#added++;
      for (const form of formsOf(trimmed)) this.#finder.add(form);
    }
    this.#values.add(trimmed);
    const [oldest] = this.#values;
    if (this.#values.size <= MOST || oldest === undefined) return;
    this.#values.delete(oldest);
    for (const form of formsOf(oldest)) this.#finder.delete(form);
  }

  /** Adds the credentials in headers and address of a request. */
  addOf(rawHeaders: readonly string[], target: URL): void {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      if (headerNames.test(rawHeaders[at] ?? ""))
        this.#addHeader(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    for (const [name, value] of target.searchParams) if (parameterNames.test(name)) this.add(value);
  }

  /** Adds the secret parts of a header, for example `TOKEN` in `Bearer TOKEN`, and `value` in `name=value; name=value`. */
  #addHeader(name: string, value: string): void {
    if (name.toLowerCase() === "cookie")
      for (const pair of value.split(";")) this.add(pair.slice(pair.indexOf("=") + 1));
    else this.add(value.replace(/^\s*[\w-]+\s+(?=\S+\s*$)/, ""));
  }

  /** Returns the text without the credentials, in plain form and as JSON escapes them. */
  removeFrom(text: string): string {
    return this.#finder.replaceIn(text, () => withheld);
  }

  /** Overwrites each credential in a text by as many UTF-8 bytes. */
  maskIn(text: string): string {
    return this.#finder.replaceIn(text, (secret) => "*".repeat(Buffer.byteLength(secret)));
  }
}

/** Returns a value in plain form and as JSON escapes it. */
function formsOf(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, escaped, JSON.stringify(escaped).slice(1, -1)])];
}
