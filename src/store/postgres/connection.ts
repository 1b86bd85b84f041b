import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import type { Pool, PoolClient } from "pg";
import type { PostgresSettings } from "../settings.ts";
import { StoreError } from "../store-error.ts";

export interface ConnectionParts {
  readonly settings: PostgresSettings & { readonly url: string };
  readonly most: number;
  /** Time-out of one statement in milliseconds. */
  readonly statementMs: number;
}

const CONNECT_MS = 5_000;

/**
 * Creates a connection pool. A connection is opened only when a statement needs it. Loads the database driver.
 * @throws StoreError if the address is invalid
 */
export async function openPool({ settings, most, statementMs }: ConnectionParts): Promise<Pool> {
  const { default: pg } = await import("pg");
  const { url } = settings;
  if (!URL.canParse(url))
    throw new StoreError(
      "store.url is not a PostgreSQL address: write it as postgres://user:password@host:5432/database",
    );
  const pool = new pg.Pool({
    connectionString: url,
    ...tlsOf(settings),
    max: most,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    // This time-out of the client ends a query if the server has disappeared without closing the connection.
    query_timeout: statementMs + 5_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: "tracejury",
    allowExitOnIdle: true,
  });
  // Without a listener, the error of an idle connection would end the process. Nothing needs to be done: the next statement opens a new
  // connection.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * Returns the TLS options for a connection. With `tls: auto`, parameters of the address such as `sslmode` take precedence.
 * @throws StoreError if the file with the certificate authority cannot be read
 */
function tlsOf({ url, tls, caFile }: PostgresSettings & { readonly url: string }): {
  ssl?: ConnectionOptions | false;
} {
  const { hostname, searchParams } = new URL(url);
  if (tls === "auto" && [...searchParams.keys()].some((key) => key.startsWith("ssl"))) return {};
  // If the URL contains no host, the client library reads the host from the environment.
  const host = searchParams.get("host") ?? (hostname === "" ? (process.env["PGHOST"] ?? "") : hostname);
  if (tls === "off" || (tls === "auto" && isHere(host))) return { ssl: false };
  const rejectUnauthorized = tls !== "encrypt";
  return { ssl: { rejectUnauthorized, ...(caFile === null ? {} : { ca: readAuthorities(caFile) }) } };
}

/** Whether the connection needs no TLS, because the host is a loopback address, a Unix socket, or empty. */
function isHere(host: string): boolean {
  return (
    ["", "localhost", "::1", "[::1]"].includes(host) ||
    host.startsWith("/") ||
    host.startsWith("%2F") ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StoreError(`store.ca_file: ${(error as Error).message}`);
  }
}

/** Returns host, port and database of an address, without credentials. */
export function nameOf(url: string): string {
  if (!URL.canParse(url)) return "postgres";
  const { host, pathname, searchParams } = new URL(url);
  return `${host === "" ? (searchParams.get("host") ?? "localhost") : host}${pathname}`;
}

/** Runs `work` in a transaction. If `work` throws, the transaction is rolled back. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // If the connection breaks between two statements, it emits an error. Without this listener, Node would then end the process.
  const onError = (error: Error): void => void (broken = error);
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((again: Error) => (broken = again));
    throw error;
  } finally {
    client.removeListener("error", onError);
    client.release(broken);
  }
}

/** Returns PostgreSQL's error code; empty if the error was not reported by PostgreSQL. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "";
}

/**
 * Whether only the user can fix the error, so that retries are useless. Examples: a wrong password or database, a missing permission, an
 * untrusted certificate.
 */
export function needsUser(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (/^(28|3D|42501)/.test(codeOf(error))) return true;
  return (
    /^(ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code ?? "") ||
    /does not support SSL|no pg_hba\.conf entry/i.test(message ?? "")
  );
}
