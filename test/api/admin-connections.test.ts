import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { simulatedDelay, until } from "../support/eventually.ts";
import type { Admin } from "../../src/interfaces/api/http/admin.ts";
import { type TlsMaterial } from "../../src/support/security/tls.ts";
import { adminOfTest } from "./admin-of-test.ts";

const cuts: string[] = [];
const tlsProblems: string[] = [];

const quick = { headersMs: 300, requestMs: 600, idleMs: 400, sweepMs: 50 };

async function open(
  status: () => object | Promise<object>,
  timeouts?: typeof quick,
  tls: TlsMaterial | null = null,
): Promise<Admin> {
  cuts.length = tlsProblems.length = 0;
  return adminOfTest({
    status,
    ...(timeouts === undefined ? {} : { timeouts }),
    tls,
    onTlsProblem: ({ message }) => tlsProblems.push(message),
    connectionCut: (reason) => cuts.push(reason),
  });
}

/** A connection, and what comes back until it is closed. */
function raw({ listening: { host, port } }: Admin): { socket: Socket; closed: Promise<string> } {
  const socket = connect({ host, port, allowHalfOpen: true });
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => undefined);
  socket.on("end", () => socket.end());
  onTestFinished(() => void socket.destroy());
  return { socket, closed: new Promise((resolve) => socket.on("close", () => resolve(text))) };
}

const fine = (): object => ({ fine: true });

const head = "GET /api/status HTTP/1.1\r\nhost: localhost\r\n";

test.each([
  ["nothing", "", ""],
  ["an incomplete head", head, "408"],
  [
    "a body that never ends",
    "POST /api/v1/reload HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{",
    "40",
  ],
])(
  "a hundred connections that send %s are closed in time and counted; others are served meanwhile",
  async (_, sent, answer) => {
    const admin = await open(fine, quick);
    const stuck = Array.from({ length: 100 }, () => raw(admin));
    for (const { socket } of stuck) socket.write(sent);
    const url = `http://127.0.0.1:${admin.listening.port}/healthz`;
    // One that this process is kept from reading in time is cut as well.
    await until(
      async () => (await fetch(url, { headers: { connection: "close" } }).catch(() => null))?.status === 200,
    );
    const answers = await Promise.all(stuck.map(({ closed }) => closed));
    expect(answers.every((text) => text.includes(answer))).toBe(true);
    expect(cuts.filter((reason) => reason === "headers").length).toBeGreaterThanOrEqual(
      answer === "40" ? 0 : 100,
    );
  },
);

test("a client that shuts down its sending side gets its answer, also one that takes a while", async () => {
  const admin = await open(async () => {
    await simulatedDelay(150);
    return { fine: true };
  });
  const { socket, closed } = raw(admin);
  socket.end(`${head}\r\n`);
  const text = await closed;
  expect(text).toContain("200 OK");
  expect(text).toContain('"fine":true');
});

test("what is not HTTP is answered with 400 and counted", async () => {
  const { socket, closed } = raw(await open(fine));
  socket.write("\u0016\u0003\u0001 nonsense\r\n\r\n");
  expect(await closed).toContain("400 Bad Request");
  expect(cuts).toEqual(["protocol"]);
});

test("a flood of pipelined requests for metrics on many connections causes few renderings", async () => {
  let rendered = 0;
  const counting = await adminOfTest({
    metricsHandler: () => Promise.resolve(`rendered ${++rendered}\n`),
  });
  const flood = Array.from({ length: 50 }, () => raw(counting));
  for (const { socket } of flood) socket.end("GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20));
  const answers = await Promise.all(flood.map(({ closed }) => closed));
  expect(answers.join("").match(/200 OK/g)).toHaveLength(1000);
  expect(rendered).toBeLessThan(500);
  const before = rendered;
  await fetch(`http://127.0.0.1:${counting.listening.port}/metrics`);
  expect(rendered).toBe(before + 1);
});
