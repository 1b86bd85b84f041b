import { readCredentials, credentialFiles } from "../../support/security/credentials.ts";
import { refuseExposure } from "../../support/security/addresses/exposure.ts";
import { Guard } from "../../support/security/guard.ts";
import { isAllowedOrigin } from "../../support/security/addresses/origins.ts";
import { SecurityError } from "../../support/security/security-error.ts";
import type { SecuritySettings, TlsSettings } from "../../support/security/settings.ts";
import { readTls, tlsFiles, type TlsMaterial } from "../../support/security/tls.ts";

interface Addresses {
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
}

/** Everything read that the settings name. */
interface Material {
  readonly settings: SecuritySettings;
  readonly credentials: ReturnType<typeof readCredentials>;
  readonly receiveTls: TlsMaterial | null;
  readonly adminTls: TlsMaterial | null;
}

/** Who may come in, as the running process sees it; can be renewed as a whole. */
export class CollectorSecurity {
  readonly guard: Guard;
  readonly #addresses: Addresses;
  #material: Material;

  /** @throws SecurityError when a file cannot be used, or an address would be open to everybody without that having been said */
  constructor(settings: SecuritySettings, addresses: Addresses) {
    this.#addresses = addresses;
    this.#material = read(settings);
    this.guard = new Guard(this.#material.credentials);
    this.#check(this.#material, this.guard);
  }

  get receiveTls(): TlsMaterial | null {
    return this.#material.receiveTls;
  }

  get adminTls(): TlsMaterial | null {
    return this.#material.adminTls;
  }

  get allowedHosts(): readonly string[] {
    return this.#material.settings.allowedHosts;
  }

  get allowsAnyOrigin(): boolean {
    return this.#material.settings.allowedOrigins.length > 0;
  }

  allowsOrigin(origin: string): boolean {
    return isAllowedOrigin(origin, this.#material.settings.allowedOrigins);
  }

  /** Files whose change calls for a renewal. */
  get files(): readonly string[] {
    const { settings } = this.#material;
    return [...credentialFiles(settings), ...tlsFiles(settings.receiveTls), ...tlsFiles(settings.adminTls)];
  }

  /**
   * Reads and checks everything anew; the returned function makes it count, and cannot fail.
   * @throws SecurityError when something is wrong; all stays as it was
   */
  prepare(settings: SecuritySettings): () => void {
    const material = read(settings);
    this.#check(material, new Guard(material.credentials));
    for (const port of ["receiveTls", "adminTls"] as const) {
      if (material[port]?.asksForCertificate !== this.#material[port]?.asksForCertificate) {
        throw new SecurityError(
          "TLS, and whether clients need certificates, is decided at the start: restart",
        );
      }
    }
    return () => {
      this.#material = material;
      this.guard.replace(material.credentials);
    };
  }

  #check({ settings, receiveTls, adminTls }: Material, guard: Guard): void {
    const ingest = guard.guards("ingest") || receiveTls?.asksForCertificate === true;
    const admin = guard.guards("read", "admin") || adminTls?.asksForCertificate === true;
    const { http, grpc, admin: adminAddress } = this.#addresses;
    refuseExposure(
      [
        { setting: "receive.http", address: http, guarded: ingest },
        { setting: "receive.grpc", address: grpc, guarded: ingest },
        { setting: "admin", address: adminAddress, guarded: admin },
      ],
      settings.openWithoutAuth,
    );
  }
}

function read(settings: SecuritySettings): Material {
  const tls = (one: TlsSettings | null, where: string) => (one === null ? null : readTls(one, where));
  return {
    settings,
    credentials: readCredentials(settings),
    receiveTls: tls(settings.receiveTls, "security.receive_tls"),
    adminTls: tls(settings.adminTls, "security.admin_tls"),
  };
}
