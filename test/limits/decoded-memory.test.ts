import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ServeProcess } from "../chaos/serve-process.ts";
import { simulatedDelay } from "../support/eventually.ts";
import { mainThreadMs, residentOf } from "../../bench/harness/process-use.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { serveConfig } from "../chaos/serve-config.ts";

const LIMIT_MIB = 400;
const BODY_BYTES = 63 * 2 ** 20;
const message = '{"role":"user","content":"a"}';

/** Bodies of one span each, with millions of messages: 63 MiB that compress to 200 kB. They differ in the ids of the span alone. */
function bodiesOf(spans: number, attributes: number): readonly Buffer<ArrayBuffer>[] {
  const count = Math.floor((BODY_BYTES * 0.78) / attributes / (message.length + 1));
  const text = JSON.stringify(`[${Array(count).fill(message).join(",")}]`);
  const attribute = (key: string, value: string): string =>
    `{"key":"${key}","value":{"stringValue":${value}}}`;
  const all = [
    attribute("gen_ai.operation.name", '"chat"'),
    attribute("gen_ai.input.messages", text),
    ...Array.from({ length: attributes - 1 }, (_, at) => attribute(`gen_ai.prompt.${at}.content`, text)),
  ];
  const times = '"startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000001000000000"';
  const rest = gzipSync(`${times},"name":"chat","attributes":[${all.join(",")}]}]}]}]}`, { level: 1 });
  return Array.from({ length: spans }, (_, n) => {
    const id = (length: number): string => (n + 1).toString(16).padStart(length, "0");
    const ids = `"traceId":"${id(32)}","spanId":"${id(16)}"`;
    return Buffer.concat([gzipSync(`{"resourceSpans":[{"scopeSpans":[{"spans":[{${ids},`), rest]);
  });
}

test.each([
  ["in one attribute", 1],
  ["in fifty attributes", 50],
])(
  "millions of tiny messages of one span, %s, three times at once, stay within the limit and delay no request",
  async (_, attributes) => {
    const { config, http, admin } = await serveConfig(temporaryFolder(), {
      limits: { memory: `${LIMIT_MIB}MiB` },
      assemble: { root_quiet: "100ms", root_open: "200ms", idle: "300ms" },
      telemetry: { log_level: "error" },
    });
    const serve = await ServeProcess.start({ config });
    onTestFinished(async () => void (await serve.end("SIGKILL")));
    const get = (path: string) => fetch(`http://127.0.0.1:${admin}${path}`);

    const bodies = bodiesOf(3, attributes);
    let busiestMs = 0;
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        const beforeMs = mainThreadMs(serve.pid);
        expect((await get("/healthz")).status).toBe(200);
        // In the processor's time: how long the thread that answers was at something else.
        busiestMs = Math.max(busiestMs, mainThreadMs(serve.pid) - beforeMs);
        await simulatedDelay(20);
      }
    })();
    const send = async (body: Buffer<ArrayBuffer>): Promise<number> => {
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      return (await fetch(`http://127.0.0.1:${http}/v1/traces`, { method: "POST", headers, body })).status;
    };
    const statuses = await Promise.all(bodies.map(send));
    expect(statuses).toContain(200);
    const closed = async (): Promise<number> => {
      const metrics = await (await get("/metrics")).text();
      const counts = metrics.matchAll(/^tracejury_assembler_closed_traces_total\{[^}]*\} (\d+)/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const taken = statuses.filter((status) => status === 200).length;
    await expect.poll(closed).toBe(taken);
    over.abort();
    await watching;

    expect(residentOf(serve.pid).peak / 2 ** 20).toBeLessThan(1.2 * LIMIT_MIB);
    expect(busiestMs).toBeLessThan(1_000);
  },
);
