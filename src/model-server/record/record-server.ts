import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  type Address,
  addressError,
  type AddressSetting,
  formatAddress,
} from "../../support/security/addresses/address.ts";
import { isLoopback } from "../../support/security/addresses/exposure.ts";
import { isAllowedHost } from "../../support/security/addresses/host-check.ts";
import type { TlsMaterial } from "../../support/security/tls.ts";
import { clientNotation } from "../protocols/client-notation.ts";
import { openSecondLoopback } from "../server/second-loopback.ts";
import { sendRefusal } from "../server/send-answer.ts";
import type { ModelRecorder } from "./model-recorder.ts";

export interface RecordServerOptions {
  readonly address: Address;
  /** Configuration key of the address, for messages. */
  readonly setting: AddressSetting;
  readonly recorder: ModelRecorder;
  /** Whether a server on 127.0.0.1 also listens on ::1. */
  readonly isOnBothLoopbacks?: boolean;
  readonly tls?: TlsMaterial | null;
  /**
   * Checks the `Proxy-Authorization` header. This header is used because `Authorization` contains the provider's key. If absent, every
   * client is accepted.
   */
  readonly authorize?: (authorization: string | undefined) => "allowed" | "unauthenticated" | "forbidden";
  /** Returns the host names with a dot that are allowed in the `Host` header of requests to a loopback port. */
  readonly allowedHosts?: () => readonly string[];
  readonly onRefused?: (why: "unauthenticated" | "forbidden") => void;
}

export interface RecordServer {
  /** `host:port`. */
  readonly listening: string;
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
  renewTls(tls: TlsMaterial): void;
  /**
   * Stops accepting requests, and waits for running calls. Calls that still run after `graceMs` milliseconds are aborted. Resolves when
   * every call has been recorded.
   */
  close(graceMs: number): Promise<void>;
}

/** Milliseconds after which an idle connection is closed. */
const IDLE_MS = 65_000;

/**
 * Opens the port of a model recorder.
 * Rejects with `AddressError` if the port cannot be opened.
 */
export async function openRecordServer(options: RecordServerOptions): Promise<RecordServer> {
  const { address, setting, recorder, tls = null } = options;
  const serverOptions = { keepAliveTimeout: IDLE_MS, requestTimeout: 0 };
  const server: Server | TlsServer =
    tls === null
      ? createServer(serverOptions)
      : createTlsServer({
          ...serverOptions,
          ...tls.context,
          requestCert: tls.asksForCertificate,
          rejectUnauthorized: tls.asksForCertificate,
        });
  const admits = isLoopback(address.host)
    ? // A request without a host name is allowed: only HTTP/1.0 clients omit it, and browsers do not use HTTP/1.0.
      (host: string | undefined) => host === undefined || isAllowedHost(host, options.allowedHosts?.() ?? [])
    : () => true;
  server.on("request", (request, response) => {
    const { origin, host, "proxy-authorization": authorization } = request.headers;
    // A web page in the user's browser could send requests to this port. Such requests are refused.
    const isForeign = origin !== undefined || !admits(host);
    const admittance = isForeign ? "forbidden" : (options.authorize?.(authorization) ?? "allowed");
    if (admittance === "allowed") {
      recorder.handle(request, response);
      return;
    }
    options.onRefused?.(admittance);
    refuse(request, response, admittance, isForeign);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(addressError(setting, address, error)));
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const second = options.isOnBothLoopbacks === true ? await openSecondLoopback(server, port) : null;
  const listening = formatAddress({ host: address.host, port });
  return {
    listening,
    origin: `${tls === null ? "http" : "https"}://${listening}`,
    renewTls: (renewed) => {
      if ("setSecureContext" in server) server.setSecureContext(renewed.context);
    },
    close: async (graceMs) => {
      const closed = [server, second].map((one) => new Promise((done) => one?.close(done) ?? done(null)));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await recorder.settled();
      server.closeAllConnections();
      await Promise.all(closed);
      clearTimeout(timer);
      recorder.close();
    },
  };
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  admittance: "unauthenticated" | "forbidden",
  isForeign: boolean,
): void {
  const { url = "", headers } = request;
  const isUnknown = admittance === "unauthenticated";
  const message = isUnknown
    ? "credentials are missing or unknown: send a token in the header Proxy-Authorization: Bearer TOKEN"
    : isForeign
      ? "requests from web pages are refused, and so are requests whose Host header names an unknown host: add the host to security.allowed_hosts"
      : "the token does not have the scope ingest: use a token with this scope (security.tokens defines scopes)";
  const [path = ""] = url.split("?");
  const status = isUnknown ? 401 : 403;
  void sendRefusal(request, response, clientNotation(path, headers), {
    status,
    kind: "authentication",
    message,
    retryAfterS: null,
  });
}
