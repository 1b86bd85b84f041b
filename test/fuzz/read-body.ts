import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { Assembler } from "../../src/assemble/assembler.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { Finding } from "./finding.ts";
import type { Encoding } from "./mutants.ts";

const fragments = new FragmentReader(adapters);
const MIB = 2 ** 20;

/**
 * Decodes a body and reads what came of it, as the pipeline does. Gives how many spans it had.
 * @throws Finding when it takes more than a second for a megabyte; whatever a decoder throws
 */
export function readBody(body: Uint8Array, encoding: Encoding, signal: "traces" | "logs"): number {
  const begun = process.cpuUsage(); // not by the clock: other work of the machine is no fault of ours
  const decoded = decodeRequest(body, signal, encoding);
  if (decoded.ok && decoded.batch !== null) {
    const assembler = new Assembler(unlimitedTraceTimeouts, 1);
    assembler.add(decoded.batch, 0);
    for (const trace of assembler.closeAll("eof", 0)) fragments.read(trace);
  }
  const { user, system } = process.cpuUsage(begun);
  const tookMs = (user + system) / 1000;
  if (tookMs > 1000 * Math.max(1, body.length / MIB)) throw new Finding(`took ${Math.round(tookMs)} ms`);
  return decoded.ok ? (decoded.batch?.spanCount ?? 0) : 0;
}
