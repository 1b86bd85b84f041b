/** Where a request goes to: which call of the agent it is part of, and the path that its provider would see. */
export interface CallPath {
  readonly callId: string | null;
  /** Begins with `/`; without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const inCall = /^\/r\/([A-Za-z0-9._~-]{1,200})(\/.*)?$/;

/** Splits `/r/<callId>/v1/chat/completions?…`; repeated slashes, which base URLs bring, count as one. */
export function parseCallPath(target: string): CallPath {
  const [raw = "", ...rest] = target.split("?");
  const path = raw.replaceAll(/\/{2,}/g, "/");
  const query = new URLSearchParams(rest.join("?"));
  const [, callId, inner] = inCall.exec(path) ?? [];
  if (callId === undefined) return { callId: null, path, query };
  return { callId, path: inner ?? "/", query };
}
