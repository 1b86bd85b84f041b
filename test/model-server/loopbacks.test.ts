import { createServer } from "node:http";
import { createConnection, type Socket } from "node:net";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { openRecordServer } from "../../src/model-server/record/record-server.ts";
import { ModelRecorder } from "../../src/model-server/record/model-recorder.ts";
import { startModelServer } from "../../src/model-server/server/model-server.ts";
import { ScriptedResponder } from "./scripted.ts";

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

const servers = {
  "the model server": async () => {
    const server = await startModelServer({ responder: new ScriptedResponder([]) });
    return { port: server.port, close: (graceMs: number) => server.close(graceMs) };
  },
  "the recorder": async () => {
    const recorder = new ModelRecorder({ mounts: () => new Map(), onCall: () => true });
    const address = { host: "127.0.0.1", port: 0 };
    const server = await openRecordServer({
      address,
      setting: "receivers.models",
      recorder,
      isOnBothLoopbacks: true,
    });
    return { port: Number(new URL(server.origin).port), close: (graceMs: number) => server.close(graceMs) };
  },
};

test.skipIf(!hasIpv6).each(Object.entries(servers))(
  "%s answers at both loopback addresses, and closes both",
  async (_, open) => {
    const { port, close } = await open();
    const statuses = await Promise.all(
      ["127.0.0.1", "[::1]", "localhost"].map(
        async (host) => (await fetch(`http://${host}:${port}/nothing`)).status,
      ),
    );
    // Connections that ask nothing do not hold up the end.
    const idle = await Promise.all(["127.0.0.1", "::1"].map((host) => connected(port, host)));
    await close(0);

    expect(statuses).toEqual([404, 404, 404]);
    await Promise.all(idle.filter(({ closed }) => !closed).map((socket) => once(socket, "close")));
    for (const host of ["127.0.0.1", "::1"])
      await expect(connected(port, host)).rejects.toThrow("ECONNREFUSED");
  },
);

test.skipIf(!hasIpv6)("a port that another program has at ::1 is no obstacle", async () => {
  const other = createServer();
  other.listen(0, "::1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const server = await startModelServer({ responder: new ScriptedResponder([]), port });

  expect((await fetch(`${server.baseUrl()}/nothing`)).status).toBe(404);
  await server.close(0);
});

async function connected(port: number, host: string): Promise<Socket> {
  const socket = createConnection(port, host);
  await once(socket, "connect");
  return socket.resume();
}
