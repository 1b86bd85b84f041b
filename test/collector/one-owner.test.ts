import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { agentTrace } from "../chaos/agent-trace.ts";
import { httpSender } from "../chaos/senders.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type ServeConfig, serveConfig } from "../chaos/serve-config.ts";

const inContainer = ["unshare", "-p", "--fork", "--kill-child"];
const hasNamespaces = spawnSync("unshare", ["-p", "--fork", "true"]).status === 0;

/** Configures one more process for the data directory, with ports of its own. */
const configure = (folder: string, name: string): Promise<ServeConfig> =>
  serveConfig(folder, { assemble: { root_quiet: "1h", root_open: "1h", root_cap: "1h" } }, `${name}.yaml`);

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
    await expect
      .poll(() => second.log)
      .toContain("unfinished traces of the previous process were read from the journal");
  },
);
