import type { Problem } from "./answer.ts";
import type { ReceiveContext } from "../connection/context.ts";
import type { HeaderReader, HttpHeaders } from "./http-head.ts";
import type { CrossOrigin } from "../ports.ts";

const PREFLIGHT_SECONDS = 7200;

/**
 * Returns the refusal of a request from a web page; null if the request is accepted. The page's origin must be allowed, and the `Host`
 * header must name this port. The check of `Host` prevents DNS rebinding: a page that points its own domain to this port sends that domain
 * in `Host`.
 */
export function pageRefusal(
  { crossOrigin, admitsHost }: Pick<ReceiveContext, "crossOrigin" | "admitsHost">,
  request: HeaderReader,
): Problem | null {
  const origin = request.header("origin");
  if (origin !== undefined && crossOrigin?.allows(origin) !== true) return FOREIGN_ORIGIN;
  return admitsHost(request.header(":authority") ?? request.header("host")) ? null : FOREIGN_HOST;
}

const FOREIGN_ORIGIN: Problem = {
  kind: "forbidden",
  message: "web pages of this origin may not send telemetry: add the origin to security.allowed_origins",
};
const FOREIGN_HOST: Problem = {
  kind: "forbidden",
  message:
    "the Host header names an unknown host: send to the address or to localhost, or add the name to security.allowed_hosts",
};

/**
 * Returns the response headers for a CORS preflight request; null for any other request, or if no page may send telemetry. The headers
 * allow only origins that the configuration allows. A preflight needs no credentials.
 */
export function preflightHeaders(
  crossOrigin: CrossOrigin | null,
  method: string,
  request: HeaderReader,
): HttpHeaders | null {
  if (crossOrigin === null || method !== "OPTIONS") return null;
  if (request.header("access-control-request-method") === undefined) return null;
  const allowed = crossOriginHeaders(crossOrigin, request);
  if (allowed["access-control-allow-origin"] === undefined) return allowed;
  return {
    ...allowed,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization, content-type, content-encoding, traceparent, tracestate",
    "access-control-max-age": PREFLIGHT_SECONDS,
  };
}

/** Returns the headers that let a page of an allowed origin read the response. */
export function crossOriginHeaders(crossOrigin: CrossOrigin | null, request: HeaderReader): HttpHeaders {
  const headers: HttpHeaders = {};
  if (crossOrigin === null) return headers;
  headers["vary"] = "Origin";
  const origin = request.header("origin");
  if (origin !== undefined && crossOrigin.allows(origin)) headers["access-control-allow-origin"] = origin;
  return headers;
}
