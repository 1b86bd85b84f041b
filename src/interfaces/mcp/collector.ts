import { directFetch, readBody } from "../../support/http/send-request.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { ToolError } from "./tool.ts";

export interface Collector {
  /**
   * Returns the JSON text of a response.
   * @throws ToolError if the collector does not respond, or responds with an error
   */
  get(path: string, parameters?: Readonly<Record<string, string>>): Promise<string>;
}

/** Removes the advice for coding agents from a message. */
export function withoutAdvice(message: string): string {
  return message.replace(/: start `[^]*$/, "");
}

const WAIT_MS = 10_000;
const LONGEST_ANSWER = 32 * 2 ** 20;
const send = directFetch();

/**
 * Creates a client for the API at `url`, such as `http://127.0.0.1:4319`. If `token` is given, it is sent
 * with each request.
 */
export function createCollector(url: string, token: string | undefined): Collector {
  return {
    async get(path, parameters = {}) {
      const target = new URL(path, url);
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      const response = await ask(target, token);
      const text = await readWhole(response, target);
      if (response.ok) return text;
      throw new ToolError(refused(response.status, text), response.status);
    },
  };
}

async function ask(target: URL, token: string | undefined): Promise<Response> {
  try {
    return await send(target, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(WAIT_MS),
    });
  } catch (error) {
    const why = connectionAdvice(error, target);
    if (why !== null)
      throw new ToolError(`no collector answers at ${target.origin} (${messageOf(error)}): ${why}`);
    throw new ToolError(
      `no collector answers at ${target.origin} (${messageOf(error)}): start \`tracejury serve\`, name its address with --collector, ` +
        "or read dump files with run_spec, inspect_dump and doctor",
    );
  }
}

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|CERT_SIGNATURE/;
const UNFINISHED = new Set(["ECONNRESET", "EPIPE", "HPE_INVALID_CONSTANT"]);

/** Returns how to fix an error of a TLS connection. Returns null if TLS is not the cause of the error. */
function connectionAdvice(error: unknown, { protocol, host }: URL): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (UNTRUSTED.test(code))
    return "its certificate is signed by an unknown authority: name the authority's certificate file in NODE_EXTRA_CA_CERTS";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "use a host name that its certificate contains";
  if (protocol === "https:" && code === "EPROTO") return `the port may not use TLS: try http://${host}`;
  if (protocol === "http:" && UNFINISHED.has(code))
    return `the port may accept only TLS: try https://${host}`;
  return null;
}

async function readWhole(response: Response, { origin }: URL): Promise<string> {
  try {
    return (await readBody(response, LONGEST_ANSWER)).toString("utf8");
  } catch (error) {
    if (error instanceof RangeError) throw new ToolError(`the answer of ${origin} is too long`);
    throw new ToolError(`the answer of ${origin} ended early: ${messageOf(error)}`);
  }
}

function refused(status: number, text: string): string {
  if (status === 401 || status === 403) {
    return "the collector needs credentials: set TRACEJURY_TOKEN to a token with the scope read";
  }
  return `the collector answered ${status}: ${text.slice(0, 1000)}`;
}
