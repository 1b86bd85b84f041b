import type { Evidence } from "../evidence.ts";
import type { Steps } from "../ledger/steps.ts";
import { isGivenName } from "./agent-name.ts";
import { rootName } from "./agents.ts";
import { instructedName } from "./instructed-name.ts";

/** The agent of the run. In order of preference: an outer agent that handed over, the agent of the first call, the one that a producer names, the root's, the service. */
export function agentOfRun(evidence: Evidence, { outerAgent, namedAgent }: Steps): string | null {
  const [{ service }] = evidence.fragments;
  if (outerAgent !== null) return outerAgent;
  const [first] = evidence.allCalls;
  if (first !== undefined && first.agent !== null) return first.agent;
  if (first === undefined) {
    const declared = evidence.agentNodes.find(
      ({ agentName, agent }) => agentName !== null && isGivenName(agent),
    );
    const found = declared ?? evidence.agentNodes.find(({ agentName }) => agentName !== null);
    if (found !== undefined) return found.agentName;
  }
  return (
    namedAgent ??
    rootName(evidence.root) ??
    instructedName(evidence) ??
    (isDefaultService(service) ? null : service)
  );
}

/** SDKs write `unknown_service:python` if no service name is set. */
function isDefaultService(service: string | null): boolean {
  return service === null || /^unknown_service(?::|$)/.test(service);
}
