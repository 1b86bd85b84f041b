import { escapeControls } from "../../../support/structures/control-characters.ts";

/** Body of every error response: what failed, why, and how to fix it. */
export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500 | 503;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export function problemResponse(
  { status, what, why, fix }: Problem,
  headers: Record<string, string> = {},
): Response {
  const text = escapeControls(JSON.stringify({ error: { what, why, fix } }));
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

export function badParameter(name: string, why: string, fix: string): Problem {
  return { status: 400, what: `The parameter "${name}" cannot be used.`, why: `The parameter ${why}.`, fix };
}

export function badCursor(): Problem {
  return badParameter("cursor", "is not the `next` of a page", "Use the `next` of the previous page.");
}

export function notFound(what: string, why: string): Problem {
  return { status: 404, what, why, fix: "/api/v1/verdicts lists the stored verdicts." };
}

/** The reason (`why`) in a 404 response: no record with the requested id is stored. */
export const forgotten = "The id is unknown, or its record is no longer stored.";
