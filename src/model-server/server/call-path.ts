/** Parts of a request's path: the id of the agent call that the request belongs to, and the path for the provider. */
export interface CallPath {
  readonly callId: string | null;
  /** Path that begins with `/`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const inCall = /^\/r\/([A-Za-z0-9._~-]{1,200})(\/.*)?$/;

/** Splits `"/r/<callId>/v1/chat/completions?…"`. Repeated slashes, which a base URL with a slash at its end can cause, count as one. */
export function parseCallPath(target: string): CallPath {
  const [raw = "", ...rest] = target.split("?");
  const path = raw.replaceAll(/\/{2,}/g, "/");
  const query = new URLSearchParams(rest.join("?"));
  const [, callId, inner] = inCall.exec(path) ?? [];
  if (callId === undefined) return { callId: null, path, query };
  return { callId, path: inner ?? "/", query };
}
