import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Signal } from "../settings.ts";

/** A configured endpoint cannot be used. The message contains the endpoint, the reason and a fix. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
}

/**
 * Returns the URL for requests of a signal.
 * @param key configuration key of the endpoint, such as `export.otlp[0].endpoint`
 * @throws EndpointError if the endpoint is not an http or https address
 */
export function signalUrl(endpoint: string, signal: Signal, key: string): string {
  const url = parseEndpoint(endpoint, key);
  if (/\/v1\/(traces|logs|metrics)\/?$/.test(url.pathname)) {
    throw new EndpointError(
      `${key}: "${shownAddress(endpoint)}" already contains the path of a signal. Write the base address; /v1/${signal} is appended.`,
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/${signal}`;
  return url.href;
}

/**
 * Rejects an endpoint that is a listener of this process, because the process would receive its own exports.
 * @param listeners addresses of this process's listeners as `host:port`
 * @throws EndpointError if the endpoint is a listener of this process
 */
export function refuseOwnListener(endpoint: string, listeners: readonly string[], key: string): void {
  const url = parseEndpoint(endpoint, key);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  for (const listener of listeners) {
    const colon = listener.lastIndexOf(":");
    if (listener.slice(colon + 1) !== port) continue;
    if (!reaches(host, listener.slice(0, colon).replace(/^\[|\]$/g, ""))) continue;
    throw new EndpointError(
      `${key}: "${shownAddress(endpoint)}" is a listener of this collector (${listener}), so the collector would receive its own exports. ` +
        `Write the address of the backend, or change this listener with receive.http, receive.grpc or admin.`,
    );
  }
}

/** Returns the address for a message: without user, password and query, which may be credentials. */
export function shownAddress(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint;
  const { username, password, search, protocol, host, pathname } = new URL(endpoint);
  return `${username}${password}${search}` === "" ? endpoint : `${protocol}//${host}${pathname}`;
}

function parseEndpoint(endpoint: string, key: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new EndpointError(
      `${key}: "${shownAddress(endpoint)}" is not an http or https address. Write it as http://host:4318.`,
    );
  }
  return url;
}

/** Whether a connection to `host` can reach a socket that listens on `bound`. */
function reaches(host: string, bound: string): boolean {
  const target = isLoopbackName(host) ? "127.0.0.1" : host;
  if (isWildcard(bound)) return isLocal(target);
  if (isLoopback(bound) || isLoopbackName(bound)) return isLoopback(target) || isWildcard(target);
  return target === bound;
}

function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function isLoopback(host: string): boolean {
  return host === "::1" || host === "::ffff:7f00:1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "*" || host === "";
}

function isLocal(host: string): boolean {
  if (isLoopback(host) || isWildcard(host)) return true;
  return Object.values(networkInterfaces()).some((one) => one?.some((address) => address.address === host));
}
