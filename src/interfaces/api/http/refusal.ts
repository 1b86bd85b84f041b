import type { Guard } from "../../../support/security/guard.ts";
import { isAllowedHost } from "../../../support/security/addresses/host-check.ts";
import type { Problem } from "./endpoint.ts";

/** The parts of a request on which its admission depends. */
export interface ConnectionAttempt {
  readonly method: string;
  readonly path: string;
  header(name: string): string | undefined;
}

export interface AdmissionControl {
  readonly allowedHosts?: () => readonly string[];
  readonly guard?: Guard;
}

/** Additional headers of the response to a refused request, by status. */
export const refusalHeaders: Readonly<Partial<Record<Problem["status"], Record<string, string>>>> = {
  401: { "www-authenticate": 'Bearer realm="tracejury", Basic realm="tracejury", charset="UTF-8"' },
};

/** Paths for monitoring. They need no credentials, because their responses contain nothing sensitive. */
const open: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Returns the reason to refuse a request to the admin port; undefined if the request is accepted. */
export function refusal(
  attempt: ConnectionAttempt,
  { allowedHosts, guard }: AdmissionControl,
): Problem | undefined {
  if (!isAllowedHost(attempt.header("host"), allowedHosts?.() ?? [])) return foreignHost;
  const reads = attempt.method === "GET" || attempt.method === "HEAD";
  if (!reads && isFromForeignPage(attempt)) return foreignPage;
  if (guard === undefined || (reads && open.has(attempt.path))) return undefined;
  const scope = reads ? "read" : "admin";
  switch (guard.admit(attempt.header("authorization"), scope)) {
    case "allowed":
      return undefined;
    case "unauthenticated":
      return nobody;
    case "forbidden":
      return refused(
        403,
        `These credentials do not have the scope ${scope}.`,
        `Use credentials with the scope ${scope}; security.tokens and security.users define scopes.`,
      );
  }
}

/**
 * Whether a web page of another origin sent the request. Browsers set the headers `sec-fetch-site` and `origin`, and a page cannot change
 * these headers.
 */
function isFromForeignPage(attempt: ConnectionAttempt): boolean {
  const site = attempt.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = attempt.header("origin");
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== attempt.header("host")?.toLowerCase();
}

function refused(status: 401 | 403, why: string, fix: string): Problem {
  return { status, what: "The request was refused.", why, fix };
}

const foreignHost = refused(
  403,
  "The Host header names an unknown host, as in a DNS rebinding attack.",
  "Use the address or localhost, or add the name to security.allowed_hosts in the configuration.",
);

const foreignPage = refused(
  403,
  "A page of another origin requested a change.",
  "Send the request from the page that this port serves, or from a program.",
);

const nobody = refused(
  401,
  "Credentials are missing or unknown.",
  "Send authorization: Bearer TOKEN, or a name and password, as defined in security.tokens and security.users.",
);

export type RefusalReason = "host" | "origin" | "credentials" | "scope";

export function refusalReason(problem: Problem): RefusalReason {
  if (problem === foreignHost) return "host";
  if (problem === foreignPage) return "origin";
  return problem === nobody ? "credentials" : "scope";
}
