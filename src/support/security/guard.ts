import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "./settings.ts";

/** A secret, and the scopes that it grants. */
export interface Credential {
  /** Authentication scheme. `secret` is the text after the scheme in the `Authorization` header: a token, or `user:password` in base64. */
  readonly scheme: "bearer" | "basic";
  readonly secret: string;
  readonly scopes: readonly Scope[];
}

/** `unauthenticated`: the request has no valid credential. `forbidden`: the credential is valid, but does not grant the scope. */
export type Admittance = "allowed" | "unauthenticated" | "forbidden";

interface KnownCredential {
  readonly digest: Buffer;
  readonly scheme: Credential["scheme"];
  readonly scopes: ReadonlySet<Scope>;
}

/** Maximum length of the `Authorization` header in characters. A longer header is rejected before it is hashed. */
const LONGEST_HEADER = 8192;

/**
 * Decides whether a request may use a scope: `ingest`, `read` or `admin`. If no credential for `ingest` exists, every request may send
 * telemetry. If no credential for `read` or `admin` exists, every request may use both scopes. `refuseExposure` rejects a port that needs
 * no credentials and that other machines can reach. Credentials can be replaced at run time.
 */
export class Guard {
  #known: readonly KnownCredential[] = [];
  #guarded: ReadonlySet<Scope> = new Set();

  constructor(credentials: readonly Credential[]) {
    this.replace(credentials);
  }

  replace(credentials: readonly Credential[]): void {
    this.#known = credentials.map(({ scheme, secret, scopes }) => ({
      digest: digestOf(secret),
      scheme,
      scopes: new Set(scopes),
    }));
    this.#guarded = new Set(credentials.flatMap(({ scopes }) => scopes));
  }

  /** Whether at least one of the scopes requires a credential. */
  guards(...scopes: readonly Scope[]): boolean {
    return scopes.some((scope) => this.#guarded.has(scope));
  }

  /**
   * Checks the `Authorization` header of a request for a scope. A credential for `admin` also grants `read`. Digests of secrets are
   * compared in constant time, so that the response time reveals nothing about a secret.
   */
  admit(authorization: string | undefined, scope: Scope): Admittance {
    if (!this.#requiresCredential(scope)) return "allowed";
    const given = readAuthorization(authorization);
    if (given === undefined) return "unauthenticated";
    const digest = digestOf(given.secret);
    let known = false;
    let allowed = false;
    for (const one of this.#known) {
      const same = timingSafeEqual(one.digest, digest) && one.scheme === given.scheme;
      known = known || same;
      allowed = allowed || (same && covers(one.scopes, scope));
    }
    return allowed ? "allowed" : known ? "forbidden" : "unauthenticated";
  }

  /**
   * Whether the scope requires a credential. `read` and `admin` share a port, so if a credential for one of them exists, both require one.
   */
  #requiresCredential(scope: Scope): boolean {
    return scope === "ingest" ? this.guards("ingest") : this.guards("read", "admin");
  }
}

function covers(scopes: ReadonlySet<Scope>, wanted: Scope): boolean {
  return scopes.has(wanted) || (wanted === "read" && scopes.has("admin"));
}

function readAuthorization(
  header: string | undefined,
): { readonly scheme: Credential["scheme"]; readonly secret: string } | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const [, scheme, secret] = /^(bearer|basic) +([\w\-.~+/=:!@#$%^&*]+) *$/i.exec(header) ?? [];
  if (scheme === undefined || secret === undefined) return undefined;
  return { scheme: scheme.toLowerCase() === "bearer" ? "bearer" : "basic", secret };
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
