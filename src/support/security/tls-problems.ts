/** Details and message of a log line about a client whose connection failed because of TLS. */
export interface TlsProblem {
  readonly details: { readonly client: string | undefined; readonly code: string | undefined };
  readonly message: string;
}

/**
 * OpenSSL's error codes for connections whose first bytes are not TLS. For some HTTP methods, OpenSSL reports that the bytes are HTTP; for
 * others, only a wrong version.
 */
const NO_TLS = new Set([
  "ERR_SSL_HTTP_REQUEST",
  "ERR_SSL_HTTPS_PROXY_REQUEST",
  "ERR_SSL_WRONG_VERSION_NUMBER",
]);

/** Error codes for clients that send nothing or close the connection, as port checks of load balancers do. */
const SILENT = new Set(["ECONNRESET", "ERR_TLS_HANDSHAKE_TIMEOUT"]);

/**
 * Describes a failed TLS handshake. Returns null if the client closed the connection, or sent too little before the time-out.
 * @param client IP address of the client
 */
export function handshakeProblem(
  { code }: { readonly code?: string | undefined },
  client: string | undefined,
): TlsProblem | null {
  if (code !== undefined && SILENT.has(code)) return null;
  const message =
    code !== undefined && NO_TLS.has(code)
      ? "a client without TLS was refused, because this port accepts only TLS: use https:// in the client's endpoint"
      : "the TLS handshake of a client failed";
  return { details: { client, code }, message };
}

/**
 * Describes a client that begins a TLS handshake at a port without TLS. Returns null if the bytes are not the beginning of a TLS handshake.
 * @param start first bytes of the connection
 * @param client IP address of the client
 */
export function unexpectedTls(start: Uint8Array | undefined, client: string | undefined): TlsProblem | null {
  if (start?.[0] !== 0x16 || start[1] !== 3) return null;
  return {
    details: { client, code: undefined },
    message:
      "a client with TLS was refused, because this port has no TLS: use http:// in the client's endpoint, or configure a certificate",
  };
}
