/** What went wrong with a request, why, and what to do: the body of every error answer. */
export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 500 | 503;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export function problemResponse(
  { status, what, why, fix }: Problem,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { what, why, fix } }, { status, headers });
}
