import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentTrace } from "../chaos/agent-trace.ts";
import { httpSender } from "../chaos/senders.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const inContainer = ["unshare", "-p", "--fork", "--kill-child"];
const hasNamespaces = spawnSync("unshare", ["-p", "--fork", "true"]).status === 0;

/** Configures one more process for the data directory, with ports of its own. */
async function configure(
  folder: string,
  name: string,
): Promise<{ config: string; http: number; admin: number }> {
  const [http, admin] = [await freePort(), await freePort()];
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, 'version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 9 } }]\n');
  const config = join(folder, `${name}.yaml`);
  writeFileSync(
    config,
    JSON.stringify({
      data_dir: join(folder, "data"),
      receive: { http: `127.0.0.1:${http}`, grpc: "off" },
      admin: `127.0.0.1:${admin}`,
      specs: [spec],
      assemble: { root_quiet: "1h", root_open: "1h", root_cap: "1h" },
    }),
  );
  return { config, http, admin };
}

test.each<readonly [string, readonly string[]]>([
  ["beside each other", []],
  ...(hasNamespaces ? [["in two containers, both as process 1 of one host name", inContainer] as const] : []),
])(
  "of two serve processes %s, the second does not start until the first is killed; then it takes over the acknowledged telemetry",
  async (_, under) => {
    const folder = temporaryFolder();
    const [one, other] = [await configure(folder, "one"), await configure(folder, "other")];
    const first = await ServeProcess.start({ config: one.config, under });
    onTestFinished(async () => void (await first.end("SIGKILL")));
    const sender = httpSender(one.http);
    const { root, tools } = agentTrace(12, 1, 1);
    expect(await sender.send([...tools, root])).toBe(true);
    sender.close();

    await expect(ServeProcess.start({ config: other.config, under })).rejects.toThrow(
      new RegExp(`process \\d+ on ${hostname()} \\(since .* uses the journal in .*data.*end that process`),
    );

    await first.end("SIGKILL");
    const second = await ServeProcess.start({ config: other.config, under });
    onTestFinished(async () => void (await second.end("SIGKILL")));
    await expect.poll(() => second.log).toContain("unfinished traces of the earlier process continue");
  },
);
