import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { Guard } from "../../src/support/security/guard.ts";
import { isAllowedOrigin } from "../../src/collector/inputs/open-security.ts";
import { readTls, type TlsMaterial } from "../../src/support/security/tls.ts";
import { call, frame, JSON_TYPE, receive, send, session, statusIn, openCall } from "../receive/support.ts";

const guard = new Guard([
  { scheme: "bearer", secret: "good", scopes: ["ingest"] },
  { scheme: "bearer", secret: "reader", scopes: ["read"] },
]);
const authorize = (header: string | undefined) => guard.admit(header, "ingest");
const pem = (name: string) => `test/fixtures/tls/${name}`;

function tls(name: string, clients: string | null = null): TlsMaterial {
  const settings = { certFile: pem(`${name}.pem`), keyFile: pem(`${name}.key`), clientCaFile: clients };
  return readTls({ ...settings, minVersion: "TLSv1.2" }, "security.receive_tls");
}

const trusting: ConnectionOptions = { ca: readFileSync(pem("authority.pem")) };
const showing = (name: string): ConnectionOptions => ({
  ...trusting,
  cert: readFileSync(pem(`${name}.pem`)),
  key: readFileSync(pem(`${name}.key`)),
});

describe("who may send", () => {
  test.each([
    [{ authorization: "Bearer good" }, 200, undefined],
    [{ authorization: "Bearer bad" }, 401, 16],
    [{ authorization: "Bearer reader" }, 403, 7],
    [{}, 401, 16],
  ])("HTTP with %j: %i", async (headers, status, code) => {
    const { http, taken } = await receive({ authorize });
    const answer = await send(http, "/v1/traces", { ...JSON_TYPE, ...headers }, "{}");
    expect(answer.status).toBe(status);
    expect(taken).toHaveLength(status === 200 ? 1 : 0);
    expect(statusIn(answer).code).toBe(code);
    expect(answer.headers["www-authenticate"]).toBe(status === 401 ? "Bearer, Basic" : undefined);
  });

  test.each([
    [{ authorization: "Bearer good" }, 0],
    [{ authorization: "Bearer bad" }, 16],
    [{ authorization: "Bearer reader" }, 7],
    [{}, 16],
  ])("gRPC with %j: status %i", async (headers, status) => {
    const { grpc, taken } = await receive({ authorize });
    const answer = await call(session(grpc), frame(new Uint8Array()), { headers });
    expect(answer.status).toBe(status);
    expect(taken).toHaveLength(status === 0 ? 1 : 0);
  });

  test("C40 a sender without credentials is refused before its body arrives, also at unknown paths", async () => {
    const { http } = await receive({ authorize });
    const pieces = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)];
    expect((await send(http, "/v1/traces", JSON_TYPE, pieces)).status).toBe(401);
    expect((await send(http, "/elsewhere", JSON_TYPE, "{}")).status).toBe(401);
  });

  test("health checks over gRPC need no credentials", async () => {
    const { grpc } = await receive({ authorize });
    const path = "/grpc.health.v1.Health/Check";
    expect((await call(session(grpc), frame(new Uint8Array()), { path })).status).toBe(0);
  });

  test("a header with two credentials, or with one after a line break, is refused", async () => {
    const { http } = await receive({ authorize });
    const twice = { ...JSON_TYPE, authorization: "Bearer bad, Bearer good" };
    expect((await send(http, "/v1/traces", twice, "{}")).status).toBe(401);
    const smuggled = { "x-a": "b\r\nauthorization: Bearer good" };
    await expect(send(http, "/v1/traces", smuggled, "{}")).rejects.toThrow("Invalid character");
  });
});

describe("web pages", () => {
  const crossOrigin = {
    allows: (origin: string) => isAllowedOrigin(origin, ["https://*.example.com"]),
  };
  const asking = (origin: string) => ({ origin, "access-control-request-method": "POST" });
  const ask = (http: string, origin: string) => send(http, "/v1/traces", asking(origin), "", "OPTIONS");

  test("C10 may send only if they are allowed; otherwise their preflight request is not answered", async () => {
    const { http, grpc, taken } = await receive();
    expect((await ask(http, "https://app.example.com")).status).toBe(403);
    const headers = { ...JSON_TYPE, origin: "https://app.example.com" };
    for (const port of [http, grpc]) expect((await send(port, "/v1/traces", headers, "{}")).status).toBe(403);
    const called = await call(session(grpc), frame(new Uint8Array()), { headers: { origin: "null" } });
    expect(called.status).toBe(7);
    expect(taken).toEqual([]);
  });

  test("C10 of an allowed origin may, and are told without credentials", async () => {
    const { http } = await receive({ authorize, crossOrigin });
    const asked = await ask(http, "https://app.example.com");
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": "https://app.example.com",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": expect.stringContaining("content-type"),
      vary: "Origin",
    });
    const headers = { ...JSON_TYPE, origin: "https://app.example.com" };
    const sent = await send(http, "/v1/traces", { ...headers, authorization: "Bearer good" }, "{}");
    expect(sent.status).toBe(200);
    expect(sent.headers["access-control-allow-origin"]).toBe("https://app.example.com");
    const refused = await send(http, "/v1/traces", headers, "{}");
    expect(refused.status).toBe(401);
    expect(refused.headers["access-control-allow-origin"]).toBe("https://app.example.com");
  });

  test("pages of another origin are refused", async () => {
    const { http, taken, outcomes } = await receive({ crossOrigin });
    const asked = await ask(http, "https://evil.com");
    expect(asked.status).toBe(403);
    expect(asked.headers["access-control-allow-origin"]).toBeUndefined();
    expect(asked.headers["access-control-allow-headers"]).toBeUndefined();
    // A page may send text without asking first: the answer it cannot read comes too late.
    const simple = { "content-type": "text/plain", origin: "https://evil.com" };
    const sent = await send(http, "/v1/traces", simple, "{}");
    expect(sent.status).toBe(403);
    expect(statusIn(sent).message).toContain("security.allowed_origins");
    expect(taken).toEqual([]);
    expect(outcomes).toEqual(["forbidden", "forbidden"]);
  });

  test.each([
    ["evil.example.com", 403],
    ["127.0.0.1.evil.com:4318", 403],
    ["localhost.evil.com", 403],
    ["otel.example.com", 200],
    ["localhost:4318", 200],
    ["127.0.0.1", 200],
    ["[::1]:4318", 200],
    ["tracejury", 200],
  ])(
    "pages that rebind a name to loopback are refused by their Host: %s gets status %i",
    async (host, status) => {
      const { http, grpc, taken } = await receive({ allowedHosts: () => ["otel.example.com"] });
      const answers = [
        await send(http, "/v1/traces", { ...JSON_TYPE, host }, "{}"),
        await send(grpc, "/v1/traces", { ...JSON_TYPE, host }, "{}"),
        await call(session(grpc), frame(new Uint8Array()), { headers: { ":authority": host } }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status === 200 ? 0 : 7]);
      expect(taken).toHaveLength(status === 200 ? 3 : 0);
    },
  );

  test("by any name where other machines may send: their names for the port are their own affair", async () => {
    const { http } = await receive({ http: "0.0.0.0:0" });
    const local = http.replace("0.0.0.0", "127.0.0.1");
    const headers = { ...JSON_TYPE, host: "collector.example.com" };
    expect((await send(local, "/v1/traces", headers, "{}")).status).toBe(200);
  });

  test("over HTTP/2, too", async () => {
    const { grpc } = await receive({ crossOrigin });
    const client = session(grpc);
    const head = await new Promise<Record<string, unknown>>((resolve) => {
      const path = "/v1/traces";
      const stream = client.request({
        ":method": "OPTIONS",
        ":path": path,
        ...asking("https://a.example.com"),
      });
      stream.on("response", resolve);
      stream.resume();
    });
    expect(head).toMatchObject({ ":status": 204, "access-control-allow-origin": "https://a.example.com" });
  });
});

describe("TLS", () => {
  test("OTLP/HTTP over HTTP/1 and gRPC over HTTP/2, each on either port", async () => {
    const { http, grpc, taken } = await receive({ tls: tls("server") });
    for (const address of [http, grpc]) {
      expect(await post(address, trusting)).toBe(200);
      expect(await grpcStatus(address, trusting)).toBe("0");
    }
    expect(taken).toHaveLength(4);
  });

  test.each<[string, string | null, string | null, RegExp | null]>([
    ["HTTP/1.1", "POST /v1/traces HTTP/1.1\r\n\r\n", "server", /without TLS was refused.*use https:/],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "server", /without TLS was refused.*use https:/],
    ["TLS", "\u0016\u0003\u0001\u0001\u0000\u0001\r\n\r\n", null, /with TLS was refused.*use http:/],
    ["nothing, as load balancers do", null, "server", null],
    ["HTTP/1.1", "POST /v1/traces HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", null, null],
  ])("%s (%j) at a port with certificate %s: the log says %s", async (_, bytes, certificate, said) => {
    const { http, grpc, warnings } = await receive({ tls: certificate === null ? null : tls(certificate) });
    for (const address of [http, grpc]) {
      const { hostname, port } = new URL(`http://${address}`);
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => undefined);
      if (bytes === null) socket.once("connect", () => socket.destroy());
      else socket.end(bytes);
      socket.resume();
      await new Promise((resolve) => socket.once("close", resolve));
    }
    const matching = expect.stringMatching(said ?? "");
    expect(warnings).toEqual(said === null ? [] : [matching, matching]);
  });

  test("a client whose certificate is refused is in the log", async () => {
    const { http, warnings } = await receive({ tls: tls("server", pem("authority.pem")) });
    await expect(post(http, trusting)).rejects.toThrow(/certificate|socket hang up|ECONNRESET|EPIPE/i);
    await expect.poll(() => warnings).toEqual(["the TLS handshake of a client failed"]);
  });

  test.each([
    ["of our authority", "client", true],
    ["of another authority", "impostor", false],
    ["missing", null, false],
  ])("C41 a client's certificate %s", async (_, name, admitted) => {
    const { http, grpc } = await receive({ tls: tls("server", pem("authority.pem")) });
    const options = name === null ? trusting : showing(name);
    const answers = await Promise.allSettled([post(http, options), grpcStatus(grpc, options)]);
    expect(answers.map((answer) => (answer.status === "fulfilled" ? answer.value : answer.status))).toEqual(
      admitted ? [200, "0"] : ["rejected", "rejected"],
    );
  });

  test("new connections get a renewed certificate while old connections continue", async () => {
    const { receiver, grpc } = await receive({ tls: tls("server") });
    const client = connectHttp2(`https://${grpc}`, trusting);
    onTestFinished(() => client.destroy());
    expect((await call(client, frame(new Uint8Array()))).status).toBe(0);
    expect(await nameShown(grpc)).toBe("first");
    receiver.renewTls(tls("renewed"));
    expect(await nameShown(grpc)).toBe("second");
    expect((await call(client, frame(new Uint8Array()))).status).toBe(0);
  });

  test("a handshake that never ends does not delay a stop", async () => {
    const { receiver, http } = await receive({ tls: tls("server") });
    const { hostname, port } = new URL(`http://${http}`);
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write("\u0016\u0003\u0001");
    await new Promise((resolve) => setImmediate(resolve));
    await expect(receiver.close(0)).resolves.toBeUndefined();
  });

  test("files that do not fit are refused and named", () => {
    const settings = { clientCaFile: null, minVersion: "TLSv1.2" } as const;
    const files = { certFile: pem("server.pem"), keyFile: pem("client.key") };
    expect(() => readTls({ ...settings, ...files }, "security.receive_tls")).toThrow(
      /security\.receive_tls: certificate and key cannot be used/,
    );
    const absent = { certFile: "/nowhere.pem", keyFile: pem("client.key") };
    expect(() => readTls({ ...settings, ...absent }, "security.admin_tls")).toThrow(
      /security\.admin_tls\.cert_file: cannot read \/nowhere\.pem/,
    );
  });
});

function post(address: string, options: ConnectionOptions): Promise<number> {
  const { hostname, port } = new URL(`https://${address}`);
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      { ...options, hostname, port, path: "/v1/traces", method: "POST", headers: JSON_TYPE, agent: false },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    request.on("error", reject);
    request.end("{}");
  });
}

function grpcStatus(address: string, options: ConnectionOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const client = connectHttp2(`https://${address}`, options);
    client.on("error", reject);
    onTestFinished(() => client.destroy());
    const stream = openCall(client);
    stream.on("trailers", (trailers) => resolve(trailers["grpc-status"]));
    stream.on("error", reject);
    stream.on("close", () => reject(new Error("no answer")));
    stream.resume();
    stream.end(frame(new Uint8Array()));
  });
}

function nameShown(address: string): Promise<string> {
  const { hostname, port } = new URL(`https://${address}`);
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...trusting, host: hostname, port: Number(port) }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}
