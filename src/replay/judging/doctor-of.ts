import { createCollector } from "../../interfaces/mcp/collector.ts";
import { ToolError } from "../../interfaces/mcp/tool-error.ts";
import type { ShownDiagnosis } from "../../report/render/commands/doctor-console.ts";
import { parseDoctorJson } from "../../report/render/json/doctor-parse.ts";
import { UserError } from "../../support/process/exit-code.ts";

export interface RemoteDiagnosis {
  /** As the collector wrote it. */
  readonly json: string;
  readonly diagnosis: ShownDiagnosis;
}

/**
 * What a running collector's stored telemetry can show, asked at its admin port.
 * @throws UserError when no server answers there, or not a collector
 */
export async function doctorOf(url: string, token: string | undefined): Promise<RemoteDiagnosis> {
  try {
    const json = await createCollector(url, token).get("/api/v1/doctor");
    return { json, diagnosis: parseDoctorJson(JSON.parse(json)) };
  } catch (error) {
    // What the tool's message goes on to say is for coding agents.
    if (error instanceof ToolError) throw new UserError(error.message.replace(/: start `[^]*$/, ""), hint);
    throw new UserError(`${url} does not answer like a collector's admin port`, hint);
  }
}

const hint = "give the address that `admin` has in its configuration, such as http://127.0.0.1:4319";
