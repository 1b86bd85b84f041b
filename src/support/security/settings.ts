/** Scopes of a caller: send telemetry, read results, change settings. */
export const scopes = ["ingest", "read", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** A bearer token, or a file with one token on each line; several are valid during a rotation. */
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
   * File with client certificate authorities; if set, only clients with a certificate of one of them are
   * accepted.
   */
  readonly clientCaFile: string | null;
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
}

export interface SecuritySettings {
  /** Allows an address without credentials that other machines can reach. */
  readonly openWithoutAuth: boolean;
  readonly tokens: readonly TokenSetting[];
  readonly users: readonly UserSetting[];
  /** TLS settings of the receiver; null: without TLS. */
  readonly receiveTls: TlsSettings | null;
  readonly adminTls: TlsSettings | null;
  /** Origins of web pages that may send telemetry; `*` stands for any part of a host name. */
  readonly allowedOrigins: readonly string[];
  /** Host names with a dot that requests to the admin port may use. */
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
