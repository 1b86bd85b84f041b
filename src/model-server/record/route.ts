import { type Mount, pathOf, usualPathOf } from "../base-urls.ts";
import { servesEmbeddings } from "../protocols/embeddings.ts";
import type { ProtocolName } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";

/** Destination to which a request is forwarded. */
export interface Route {
  readonly mount: Mount;
  /** Id of the agent call: the segment of the base URL after `/r/`; null if there is no such segment. */
  readonly callId: string | null;
  /** Path at the provider, without the query. */
  readonly path: string;
  readonly target: URL;
}

const form = /^\/(?:r\/([\w.~-]{1,128})\/)?([\w-]{1,64})(\/[^?#]*)?(\?[^#]*)?$/;
/** Matches path segments that a server may interpret as the parent folder, plain or percent-encoded. */
const above = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|%5c/i;

/** Returns the route of a request whose path begins with the base URL of a mount; null for other requests, which are not forwarded. */
export function routeOf(url: string, mounts: ReadonlyMap<string, Mount>): Route | null {
  const [, callId = null, name = "", path = "/", query = ""] = form.exec(url) ?? [];
  const mount = mounts.get(name);
  if (mount === undefined || path.startsWith("//") || above.test(path)) return null;
  const basePath = pathOf(mount.base);
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return null;
  return { mount, callId, path, target: new URL(`${mount.base.origin}${path}${query}`) };
}

/** Provider of model calls whose address names none, by the API format of their path. */
const providers: Readonly<Record<ProtocolName, string>> = {
  "openai-chat": "openai",
  "openai-responses": "openai",
  "anthropic-messages": "anthropic",
  "gemini-generate": "gemini",
};

/**
 * Returns the route of a model call whose address names no provider, such as `/v1/chat/completions`; null for other requests. The API
 * format determines the provider.
 */
export function plainRouteOf(method: string, url: string, mounts: ReadonlyMap<string, Mount>): Route | null {
  const [path = ""] = url.split(/[?#]/);
  const protocol = protocols.find(({ serves }) => serves(method, path));
  const name =
    protocol !== undefined ? providers[protocol.name] : servesEmbeddings(method, path) ? "openai" : null;
  const mount = name === null ? undefined : mounts.get(name);
  if (name === null || mount === undefined) return null;
  const usual = usualPathOf(name);
  if (!url.startsWith(`${usual}/`)) return null;
  return routeOf(`/${name}${pathOf(mount.base)}${url.slice(usual.length)}`, mounts);
}
