/** Scopes of a caller: send telemetry, read results, change settings. */
export const scopes = ["ingest", "read", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** One bearer token, or a file of them, one a line: several are good at a time while they are changed. */
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
  /** Present: only clients with a certificate from one of these authorities get in. */
  readonly clientCaFile: string | null;
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
}

export interface SecuritySettings {
  /** Allows an address that other machines can reach without any credential. */
  readonly openWithoutAuth: boolean;
  readonly tokens: readonly TokenSetting[];
  readonly users: readonly UserSetting[];
  /** Null: without TLS. */
  readonly receiveTls: TlsSettings | null;
  readonly adminTls: TlsSettings | null;
  /** Origins of web pages that may send telemetry; `*` stands for any part of a host name. */
  readonly allowedOrigins: readonly string[];
  /** Names with a dot that requests to the admin port may call it. */
  readonly allowedHosts: readonly string[];
  /** Networks that are not public and that webhooks and judges may lead to, such as `10.0.0.0/8`. */
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
