import { faultNames } from "../../../model/fault-kinds.ts";
import { parseFault } from "../../../model-server/faults/fault.ts";
import { FaultyResponder } from "../../../model-server/faults/faulty-responder.ts";
import type { Responder } from "../../../model-server/server/responder.ts";
import { UserError } from "../../../support/process/io.ts";

/**
 * Returns a function that adds the fault of `--fault KIND@N` to the answers of an agent's model; undefined without the option.
 * @throws UserError for an unknown fault
 */
export function faultBetween(text: string | undefined): ((inner: Responder) => Responder) | undefined {
  if (text === undefined) return undefined;
  const fault = parseFault(text);
  if (fault !== null) return (inner) => new FaultyResponder(inner, fault);
  throw new UserError(
    `--fault ${text}: unknown kind of fault, or no valid number of a model call`,
    `write KIND@N; kinds are ${faultNames.join(", ")}`,
  );
}
