import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { parseJsonText } from "../../model/json.ts";
import { isAllowedHost } from "../../support/security/addresses/host-check.ts";
import type { Address } from "../../support/security/addresses/address.ts";
import type { Guard } from "../../support/security/guard.ts";
import type { Scope } from "../../support/security/settings.ts";

export interface McpHttpOptions {
  readonly address: Address;
  readonly guard: Guard;
  /** Permission that a caller needs. */
  readonly scope: Scope;
  readonly allowedHosts: readonly string[];
  /** Creates an MCP server for one request. Each request has its own server, so that requests share no state. */
  readonly createServer: () => Server;
}

export interface McpHttp {
  readonly listening: Address;
  close(): Promise<void>;
}

const PATH = "/mcp";
const LARGEST_BODY = 4 * 2 ** 20;

/**
 * Starts a streamable HTTP server at `/mcp`.
 * @throws Error if the address cannot be used
 */
export async function startMcpHttp(options: McpHttpOptions): Promise<McpHttp> {
  const { address } = options;
  const server = createAdaptorServer({ fetch: (request) => answer(request, options) });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    listening: { host: address.host, port: (server.address() as AddressInfo).port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

async function answer(request: Request, options: McpHttpOptions): Promise<Response> {
  const refused = refusal(request, options);
  if (refused !== undefined) return refused;
  const body = await readBody(request);
  if (body === undefined)
    return problem(413, `a request may have at most ${LARGEST_BODY} bytes`, { connection: "close" });
  const parsed = parseJsonText(body);
  if (parsed.problem !== undefined)
    return problem(
      400,
      parsed.problem === "syntax" ? "the body is not JSON" : "the JSON body has too many values or levels",
    );
  const server = options.createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: parsed.value });
  } finally {
    await server.close();
  }
}

/**
 * Returns the response that refuses a request; undefined if the request is accepted. Refused are requests with an unknown host name, from a
 * web page, to another path, or without the permission.
 */
function refusal(request: Request, { guard, scope, allowedHosts }: McpHttpOptions): Response | undefined {
  const url = new URL(request.url);
  if (!isAllowedHost(request.headers.get("host") ?? undefined, allowedHosts)) {
    return problem(421, "the Host header names a host that is not allowed: add it to security.allowed_hosts");
  }
  if (request.headers.has("origin")) return problem(403, "web pages may not call this server");
  if (url.pathname !== PATH) return problem(404, `nothing is served here: the server is at ${PATH}`);
  const admittance = guard.admit(request.headers.get("authorization") ?? undefined, scope);
  if (admittance === "unauthenticated") {
    return problem(401, `a token with the scope ${scope} is needed`, { "www-authenticate": "Bearer" });
  }
  if (admittance === "forbidden") return problem(403, `the token does not have the scope ${scope}`);
  if (request.method !== "POST")
    return problem(405, "only POST is allowed, because this server has no sessions", { allow: "POST" });
  return undefined;
}

async function readBody(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function problem(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status, headers });
}
