import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

export interface ServeConfig {
  /** Path of the configuration. */
  readonly config: string;
  readonly http: number;
  readonly grpc: number;
  readonly admin: number;
}

/**
 * Writes a spec about the agent of `agent-trace.ts` and a configuration of `serve` into a folder: free ports, and `data` of the folder as
 * data directory.
 * @param settings further keys of the configuration
 */
export async function serveConfig(
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  name = "config.yaml",
): Promise<ServeConfig> {
  const [http, grpc, admin] = [await freePort(), await freePort(), await freePort()];
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, 'version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 99 } }]\n');
  const config = join(folder, name);
  const ports = {
    receive: { http: `127.0.0.1:${http}`, grpc: `127.0.0.1:${grpc}` },
    admin: `127.0.0.1:${admin}`,
  };
  const all = { data_dir: join(folder, "data"), ...ports, specs: [spec], ...settings };
  writeFileSync(config, JSON.stringify(all));
  return { config, http, grpc, admin };
}
