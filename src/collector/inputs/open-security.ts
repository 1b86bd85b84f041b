import { credentialFiles, readCredentials } from "../../support/security/credentials.ts";
import { refuseExposure } from "../../support/security/addresses/exposure.ts";
import { Guard } from "../../support/security/guard.ts";
import { SecurityError } from "../../support/security/addresses/address-guard.ts";
import type { SecuritySettings, TlsSettings } from "../../support/security/settings.ts";
import { readTls, tlsFiles, type TlsMaterial } from "../../support/security/tls.ts";

interface Addresses {
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
  readonly models?: { readonly address: string } | null;
}

/** Contents of all files that the security settings name. */
interface SecurityFiles {
  readonly settings: SecuritySettings;
  readonly credentials: ReturnType<typeof readCredentials>;
  readonly receiveTls: TlsMaterial | null;
  readonly adminTls: TlsMaterial | null;
}

/** Credentials and certificates of the process. A reload replaces all credentials and certificates together. */
export class CollectorSecurity {
  readonly guard: Guard;
  readonly #addresses: Addresses;
  #files: SecurityFiles;

  /**
   * @throws SecurityError if a file cannot be used, or if an address would accept requests without credentials from other machines, and no
   * setting allows this
   */
  constructor(settings: SecuritySettings, addresses: Addresses) {
    this.#addresses = addresses;
    this.#files = read(settings);
    this.guard = new Guard(this.#files.credentials);
    this.#check(this.#files, this.guard);
  }

  get receiveTls(): TlsMaterial | null {
    return this.#files.receiveTls;
  }

  get adminTls(): TlsMaterial | null {
    return this.#files.adminTls;
  }

  get allowedHosts(): readonly string[] {
    return this.#files.settings.allowedHosts;
  }

  get allowsAnyOrigin(): boolean {
    return this.#files.settings.allowedOrigins.length > 0;
  }

  allowsOrigin(origin: string): boolean {
    return isAllowedOrigin(origin, this.#files.settings.allowedOrigins);
  }

  /** Files whose change causes a reload. */
  get files(): readonly string[] {
    const { settings } = this.#files;
    return [...credentialFiles(settings), ...tlsFiles(settings.receiveTls), ...tlsFiles(settings.adminTls)];
  }

  /**
   * Reads and checks all security files again. Returns a function that activates the new contents and never throws.
   * @throws SecurityError if a file cannot be used; the previous contents then stay active
   */
  prepare(settings: SecuritySettings): () => void {
    const files = read(settings);
    this.#check(files, new Guard(files.credentials));
    for (const port of ["receiveTls", "adminTls"] as const) {
      if (files[port]?.asksForCertificate !== this.#files[port]?.asksForCertificate) {
        throw new SecurityError(
          "TLS or client certificates were switched on or off: restart the collector to apply this",
        );
      }
    }
    return () => {
      this.#files = files;
      this.guard.replace(files.credentials);
    };
  }

  #check({ settings, receiveTls, adminTls }: SecurityFiles, guard: Guard): void {
    const ingest = guard.guards("ingest") || receiveTls?.asksForCertificate === true;
    const admin = guard.guards("read", "admin") || adminTls?.asksForCertificate === true;
    const { http, grpc, admin: adminAddress, models = null } = this.#addresses;
    refuseExposure(
      [
        { setting: "receive.http", address: http, guarded: ingest },
        { setting: "receive.grpc", address: grpc, guarded: ingest },
        { setting: "admin", address: adminAddress, guarded: admin },
        ...(models === null
          ? []
          : [{ setting: "receivers.models" as const, address: models.address, guarded: ingest }]),
      ],
      settings.openWithoutAuth,
    );
  }
}

function read(settings: SecuritySettings): SecurityFiles {
  const tls = (one: TlsSettings | null, where: string) => (one === null ? null : readTls(one, where));
  return {
    settings,
    credentials: readCredentials(settings),
    receiveTls: tls(settings.receiveTls, "security.receive_tls"),
    adminTls: tls(settings.adminTls, "security.admin_tls"),
  };
}

/** Whether web pages of this origin may send telemetry. In `allowed`, `*` matches any part of a host name; `*` alone allows every page. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const shown = origin.toLowerCase();
  return allowed.some((pattern) => fits(shown, pattern.toLowerCase()));
}

/** Whether an origin matches one of the patterns with `*`. Uses no regular expression, because both texts can be untrusted input. */
function fits(origin: string, pattern: string): boolean {
  if (pattern === "*") return true;
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return origin === pattern;
  if (!origin.startsWith(first) || origin.length < first.length + last.length) return false;
  if (!origin.endsWith(last)) return false;
  let at = first.length;
  const end = origin.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = origin.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return !/[/@]/.test(origin.slice(first.length, end));
}
