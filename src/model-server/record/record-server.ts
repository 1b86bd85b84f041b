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
import { discardRest } from "../server/request-body.ts";
import { openSecondLoopback } from "../server/second-loopback.ts";
import { sendFailure } from "../server/send-answer.ts";
import type { ModelRecorder } from "./model-recorder.ts";

export interface RecordServerOptions {
  readonly address: Address;
  /** The setting that moves the address, for messages. */
  readonly setting: AddressSetting;
  readonly recorder: ModelRecorder;
  /** Whether an address of 127.0.0.1 is listened on at ::1 too. */
  readonly isOnBothLoopbacks?: boolean;
  readonly tls?: TlsMaterial | null;
  /** Asked with the `Proxy-Authorization` header: `Authorization` is the provider's. All may come in when absent. */
  readonly authorize?: (authorization: string | undefined) => "allowed" | "unauthenticated" | "forbidden";
  /** Names with a dot under which a port that is bound to loopback may be called. */
  readonly allowedHosts?: () => readonly string[];
  /** Each request that is not let in. */
  readonly onRefused?: (why: "unauthenticated" | "forbidden") => void;
}

export interface RecordServer {
  /** `host:port`. */
  readonly listening: string;
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
  renewTls(tls: TlsMaterial): void;
  /**
   * Stops accepting, waits for calls under way, and cuts whatever is left after `graceMs`. When it resolves,
   * every call has been recorded.
   */
  close(graceMs: number): Promise<void>;
}

/** A connection without a request is closed after this. */
const IDLE_MS = 65_000;

/** Opens the port of a model recorder. @throws AddressError */
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
    ? // Only clients of HTTP/1.0 leave the name out, and no browser is one.
      (host: string | undefined) => host === undefined || isAllowedHost(host, options.allowedHosts?.() ?? [])
    : () => true;
  server.on("request", (request, response) => {
    const { origin, host, "proxy-authorization": authorization } = request.headers;
    // A web page can reach this port as any program can, but the port is not for web pages.
    const isForeign = origin !== undefined || !admits(host);
    const admittance = isForeign ? "forbidden" : (options.authorize?.(authorization) ?? "allowed");
    if (admittance === "allowed") {
      recorder.handle(request, response);
      return;
    }
    options.onRefused?.(admittance);
    void discardRest(request, response).then(() => refuse(request, response, admittance, isForeign));
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
  { url = "", headers }: IncomingMessage,
  response: ServerResponse,
  admittance: "unauthenticated" | "forbidden",
  isForeign: boolean,
): void {
  const isUnknown = admittance === "unauthenticated";
  const message = isUnknown
    ? "a token is needed in the header Proxy-Authorization: Bearer TOKEN"
    : isForeign
      ? "web pages, and names that are not this machine's, may not call models here"
      : "this token may not send";
  const [path = ""] = url.split("?");
  const status = isUnknown ? 401 : 403;
  sendFailure(response, clientNotation(path, headers), {
    status,
    kind: "authentication",
    message,
    retryAfterS: null,
  });
}
