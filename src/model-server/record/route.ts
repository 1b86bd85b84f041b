import { type Mount, pathOf } from "../base-urls.ts";

/** Where a request goes on to. */
export interface Route {
  readonly mount: Mount;
  /** Segment of the base URL behind `/r/`; null without one. */
  readonly callId: string | null;
  /** Path of the provider, without query. */
  readonly path: string;
  readonly target: URL;
}

const form = /^\/(?:r\/([\w.~-]{1,128})\/)?([\w-]{1,64})(\/[^?#]*)?(\?[^#]*)?$/;
/** Segments that a server may read as "the folder above", also where they are escaped. */
const above = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|%5c/i;

/** The route of a request: a path below the base URL of one of the mounts; null for any other, which is not passed on. */
export function routeOf(url: string, mounts: ReadonlyMap<string, Mount>): Route | null {
  const [, callId = null, name = "", path = "/", query = ""] = form.exec(url) ?? [];
  const mount = mounts.get(name);
  if (mount === undefined || path.startsWith("//") || above.test(path)) return null;
  const basePath = pathOf(mount.base);
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return null;
  return { mount, callId, path, target: new URL(`${mount.base.origin}${path}${query}`) };
}
