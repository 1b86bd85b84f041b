/** Scopes of a caller: send telemetry (`ingest`), read results (`read`), read and change results and settings (`admin`). */
export const scopes = ["ingest", "read", "admin"] as const;
export type Scope = (typeof scopes)[number];

/**
 * A bearer token, or a file with one token per line. All tokens in the file are valid, so that a new token can be added before the old one
 * is removed.
 */
export interface TokenSetting {
  readonly name: string | null;
  readonly token: string | null;
  readonly file: string | null;
  readonly scopes: readonly Scope[];
}

export interface UserSetting {
  readonly user: string;
  readonly password: string | null;
  readonly passwordFile: string | null;
  readonly scopes: readonly Scope[];
}

export interface TlsSettings {
  readonly certFile: string;
  readonly keyFile: string;
  /**
   * File with certificate authorities for clients. If not null, a client must present a certificate that an
   * authority in the file signed.
   */
  readonly clientCaFile: string | null;
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
}

export interface SecuritySettings {
  /** Whether addresses that other machines can reach may be open without credentials. */
  readonly openWithoutAuth: boolean;
  readonly tokens: readonly TokenSetting[];
  readonly users: readonly UserSetting[];
  /** TLS settings of the receiver; null if the receiver does not use TLS. */
  readonly receiveTls: TlsSettings | null;
  readonly adminTls: TlsSettings | null;
  /** Origins of web pages that may send telemetry. In a host name, `*` matches any text. */
  readonly allowedOrigins: readonly string[];
  /** Host names with a dot that are allowed in the `Host` header of requests to the admin port. */
  readonly allowedHosts: readonly string[];
  /** Private networks to which webhooks and judges may connect, such as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
}

export const securityDefaults: SecuritySettings = {
  openWithoutAuth: false,
  tokens: [],
  users: [],
  receiveTls: null,
  adminTls: null,
  allowedOrigins: [],
  allowedHosts: [],
  allowedNetworks: [],
};
