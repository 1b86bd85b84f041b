import { LONGEST_RETRY_AFTER_MS } from "../judge/limits/scheduler.ts";
import { backoffMs, requestBackoff, retryAfterMs } from "../support/structures/backoff.ts";
import type { Clock } from "../judge/limits/clock.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { parseStored } from "../receive/dump/stored/parse-stored.ts";
import { directFetch, readBody, RedirectError } from "../support/http/send-request.ts";
import type { SourceAddress } from "./address.ts";
import { credentialHeaders, credentialsFix } from "./credentials.ts";
import { MAX_PAGE_BYTES, type PullLimits } from "./pull-limits.ts";
import { UserError } from "../support/process/io.ts";

const ATTEMPTS = 6;
const TIMEOUT_MS = 120_000;
/** Error codes of broken or timed-out connections. */
const temporaryCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);
const MAX_SHOWN = 200;
const send = directFetch();

export type QueryParameter = readonly [name: string, value: string | number];

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Dependencies of the client; tests replace the clock. */
export interface ClientOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Called before a wait, to show its reason on the progress line. */
  readonly onWait: (reason: string, ms: number) => void;
  readonly limits: PullLimits;
}

/**
 * Reads JSON from a store's HTTP API. If the store is too busy, retries after `Retry-After`, or with exponential backoff. Credentials are
 * read from the environment, and are removed from error messages.
 */
export class StoreClient {
  readonly #address: SourceAddress;
  readonly #options: ClientOptions;
  readonly #headers: Headers;

  constructor(
    address: SourceAddress,
    options: ClientOptions,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#address = address;
    this.#options = options;
    this.#headers = credentialHeaders(address.kind, options.env);
    this.#headers.set("accept", "application/json");
    for (const [name, value] of Object.entries(headers)) this.#headers.set(name, value);
  }

  /**
   * Reads JSON with a GET request.
   * @throws UserError if the path does not exist (status 404), or the store does not return JSON
   */
  async getJson(base: URL, path: string, query: readonly QueryParameter[] = []): Promise<JsonValue> {
    const found = await this.findJson(base, path, query);
    if (found !== undefined) return found;
    throw new UserError(
      `${this.#address.name}: ${base.origin}${pathOf(base, path)} does not exist (HTTP 404)`,
      `check that this is the address of ${this.#address.kind}, with its base path`,
    );
  }

  /** Reads JSON with a GET request. Returns undefined for status 404. */
  async findJson(
    base: URL,
    path: string,
    query: readonly QueryParameter[] = [],
  ): Promise<JsonValue | undefined> {
    const url = new URL(base);
    url.pathname = pathOf(base, path);
    for (const [name, value] of query) url.searchParams.append(name, String(value));
    return await this.#readJson(url, {});
  }

  /**
   * Sends a POST request, and returns the JSON of the response; undefined for status 404. Use `postJson` only for requests that may be sent
   * twice, because failed requests are repeated.
   */
  async postJson(base: URL, path: string, body: JsonValue): Promise<JsonValue | undefined> {
    const url = new URL(base);
    url.pathname = pathOf(base, path);
    return await this.#readJson(url, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  }

  /**
   * Returns the list in a store's answer. A store can answer with status 200 and an error, also after a part of the list.
   * @param isOptional whether the store omits an empty list
   * @throws UserError if the answer is an error, or has no such list
   */
  listIn(answer: JsonValue, key: string, { isOptional = false } = {}): readonly JsonValue[] {
    const fields = isObject(answer) ? answer : {};
    const list = fields[key] ?? (isOptional && isObject(answer) ? [] : undefined);
    if (isArray(list) && errorsOf(fields).length === 0) return list;
    const shown = this.shown(JSON.stringify(errorsOf(fields)[0] ?? answer));
    throw new UserError(
      `${this.#address.name} answered without the list "${key}", or with an error: ${shown}`,
      `check that this is the address of ${this.#address.kind}; if the store has a problem, run the same command again later`,
    );
  }

  async #readJson(url: URL, init: RequestInit): Promise<JsonValue | undefined> {
    const { status, body, headers } = await this.#withRetries(url, init);
    this.#options.limits.answered(body.length);
    if (status === 404) return undefined;
    if (status >= 400) throw this.#refused(url, status, body);
    const value = parseStored(body.toString("utf8"));
    if (value !== undefined) return value;
    const type = headers.get("content-type") ?? "something else";
    throw new UserError(
      `${this.#address.name}: ${url.origin}${url.pathname} answered with ${type.split(";")[0]}, not with JSON`,
      `check that this is the address of ${this.#address.kind}, with its base path, and not that of a login page`,
    );
  }

  async #withRetries(url: URL, init: RequestInit): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#request(url, init);
      const isLast = attempt === ATTEMPTS;
      if ("problem" in answer) {
        if (isLast || !answer.isTemporary) throw answer.problem;
        await this.#wait("no answer", backoffMs(attempt, 0, requestBackoff));
      } else if (isBusy(answer.status)) {
        if (isLast) return answer;
        const delayMs = retryAfterMs(answer.headers.get("retry-after"), this.#options.clock.now());
        if (delayMs !== null && delayMs > LONGEST_RETRY_AFTER_MS) throw this.#busyForLong(delayMs);
        await this.#wait(`HTTP ${answer.status}`, delayMs ?? backoffMs(attempt, 0, requestBackoff));
      } else return answer;
    }
  }

  async #wait(reason: string, ms: number): Promise<void> {
    this.#options.onWait(reason, ms);
    await this.#options.clock.sleep(ms);
  }

  async #request(url: URL, init: RequestInit): Promise<Answer | Unanswered> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const headers = new Headers(this.#headers);
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
      const response = await send(url, { ...init, headers, signal });
      const body = await readBody(response, MAX_PAGE_BYTES);
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      return this.#unanswered(url, signal.aborted ? signal.reason : error);
    }
  }

  #unanswered(url: URL, error: unknown): Unanswered {
    const at = `${this.#address.name}: ${url.origin}`;
    if (error instanceof RangeError)
      return {
        isTemporary: false,
        problem: new UserError(
          `${at} sent an answer of more than ${MAX_PAGE_BYTES / 2 ** 20} MiB`,
          "pull a shorter period in each command, with --since and --until",
        ),
      };
    const code = codeOf(error);
    if (code === "ENOTFOUND" || code === "EAI_AGAIN")
      return {
        isTemporary: false,
        problem: new UserError(`${at} cannot be reached: the host name is unknown`, "check the host name"),
      };
    if (code === "ECONNREFUSED")
      return {
        isTemporary: false,
        problem: new UserError(
          `${at} does not answer: no process listens at this address`,
          `start ${this.#address.kind}, or check host and port`,
        ),
      };
    if (error instanceof RedirectError)
      return {
        isTemporary: false,
        problem: new UserError(
          `${this.#address.name}: ${error.message}`,
          "if the redirect leads to the store, use its address; if it leads to a login page, set the store's credentials (docs/pull.md)",
        ),
      };
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate
      ? `no answer within ${TIMEOUT_MS / 1000} seconds`
      : (code ?? "the connection broke");
    return {
      isTemporary: isLate || (code !== undefined && temporaryCodes.has(code)),
      problem: new UserError(
        `${at} cannot be read: ${reason}`,
        "run the same command again; only `tracejury pull` continues where it stopped",
      ),
    };
  }

  #busyForLong(ms: number): UserError {
    return new UserError(
      `${this.#address.name} asks to wait ${Math.ceil(ms / 1000)} seconds before the next request`,
      "run the same command again after this time; only `tracejury pull` continues where it stopped",
    );
  }

  #refused(url: URL, status: number, body: Buffer): UserError {
    const at = `${this.#address.name}: ${url.origin}${url.pathname} answered HTTP ${status}`;
    if (status === 401 || status === 403) return new UserError(at, credentialsFix(this.#address.kind));
    const message = this.shown(body.toString("utf8"));
    const fix = isBusy(status)
      ? "run the same command again later; only `tracejury pull` continues where it stopped"
      : undefined;
    return new UserError(message === "" ? at : `${at}: ${message}`, fix);
  }

  /** Returns a text of the store for a message: on one line, shortened, and without credentials. */
  shown(text: string): string {
    return this.#withoutSecrets(text.replaceAll(/\s+/g, " ").trim()).slice(0, MAX_SHOWN);
  }

  /** Removes credentials from a text, because a server can repeat them in its error messages. */
  #withoutSecrets(text: string): string {
    let shown = text;
    for (const [name, value] of this.#headers) {
      if (name === "accept") continue;
      for (const secret of [value, value.replace(/^(?:Bearer|Basic) /, "")])
        if (secret.length >= 4) shown = shown.replaceAll(secret, "[hidden]");
    }
    return shown;
  }
}

interface Unanswered {
  readonly problem: UserError;
  readonly isTemporary: boolean;
}

/** Returns the errors that an answer with status 200 names. Zero, false and empty values mean that there was no error. */
export function errorsOf(answer: JsonObject): readonly JsonValue[] {
  const { error, exception, error_code: code, errors } = answer;
  return [error, exception, code, ...(isArray(errors) ? errors : [errors])].filter(
    (one): one is JsonValue => Boolean(one) && one !== "0" && (!isObject(one) || Object.keys(one).length > 0),
  );
}

function pathOf(base: URL, path: string): string {
  return `${base.pathname.replace(/\/$/, "")}${path}`;
}

function isBusy(status: number): boolean {
  return status === 429 || status === 408 || (status >= 502 && status <= 504);
}

function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string" && /^[A-Z_0-9]{1,40}$/.test(code)) return code;
  }
  return undefined;
}
