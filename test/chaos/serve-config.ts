import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

export interface ServePorts {
  readonly http: number;
  readonly grpc: number;
  readonly admin: number;
}

export interface ServeConfig extends ServePorts {
  /** Path of the configuration. */
  readonly config: string;
}

/**
 * Writes a spec about the agent of `agent-trace.ts` and a configuration of `serve` into a folder: free ports, and `data` of the folder as
 * data directory.
 * @param settings further keys of the configuration
 * @param given instead of free ports
 */
export async function serveConfig(
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  name = "config.yaml",
  given?: ServePorts,
): Promise<ServeConfig> {
  const ports = given ?? { http: await freePort(), grpc: await freePort(), admin: await freePort() };
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, 'version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 99 } }]\n');
  const config = join(folder, name);
  const all = {
    data_dir: join(folder, "data"),
    receive: { http: `127.0.0.1:${ports.http}`, grpc: `127.0.0.1:${ports.grpc}` },
    admin: `127.0.0.1:${ports.admin}`,
    specs: [spec],
    ...settings,
  };
  writeFileSync(config, JSON.stringify(all));
  return { config, ...ports };
}
