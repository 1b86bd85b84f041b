import type { Config } from "../../../config/config.ts";
import { Redactor } from "../../../support/redact/redactor.ts";
import type { CallReceiver } from "../call-receiver.ts";
import type { CallPlan } from "../call.ts";
import type { CallModels } from "../process/exec-call.ts";
import type { Responder } from "../../../model-server/server/responder.ts";
import { queryIdAttribute } from "../../../match/matcher.ts";
import { AgentRecording } from "./agent-recording.ts";
import { keepModelCalls, RecordedDump } from "./kept-telemetry.ts";
import { resourceAttributes, serviceOf } from "./resource.ts";

/**
 * Model calls of an agent that `test --exec` starts. The calls are passed to their providers and recorded. It
 * must be closed.
 */
export interface OpenRecording {
  /** Opens the model server for one call, for `execCall`. */
  readonly openModels: (plan: CallPlan, receiver: CallReceiver) => CallModels;
  readonly close: () => Promise<void>;
}

export interface RecordingOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly config: Config;
  /** Dump for the agent's telemetry and model calls, without secrets; null for none. */
  readonly file: string | null;
  /** Wraps the responder between the agent and its providers, for example with faults. */
  readonly between?: ((provider: Responder) => Responder) | undefined;
}

/**
 * Returns the resource of a call's model calls: the process's own attributes, the query, and, if the
 * environment names no service, the spec's agent.
 */
export function resourceOf(
  env: NodeJS.ProcessEnv,
  { spec, query }: CallPlan,
): Readonly<Record<string, string>> {
  const service = serviceOf(env) ?? (spec.agent === "*" ? "agent" : spec.agent);
  const own = resourceAttributes(env["OTEL_RESOURCE_ATTRIBUTES"]);
  return { ...own, "service.name": service, [queryIdAttribute]: query.id };
}

const CLOSE_MS = 2_000;

/**
 * Returns the redactor for a shareable dump: it removes keys and tokens, and applies the configuration's
 * `redact`.
 */
export function recordingRedactor({ redact }: Config): Redactor {
  return new Redactor({ ...redact, detectors: [...new Set(["keys" as const, ...redact.detectors])] });
}

/**
 * Opens the model server of `test --models record:FILE`, and of every run with the real provider.
 * @throws AddressError
 */
export async function openRecording(options: RecordingOptions): Promise<OpenRecording> {
  const { env, config, file, between } = options;
  const recording = await AgentRecording.open({ env, between });
  const dump = file === null ? null : new RecordedDump(file, recordingRedactor(config));
  return {
    openModels: (plan, receiver) => {
      const { callId, variables } = recording.forProcess();
      const resource = resourceOf(env, plan);
      return {
        variables,
        keep: async (hasEnded) => {
          if (hasEnded) await recording.settled(callId);
          const { calls, secrets } = recording;
          await keepModelCalls({ calls, callId, receiver, config, resource, secrets });
          if (hasEnded) await dump?.add(receiver.kept, config, recording.secrets);
        },
      };
    },
    close: () => recording.close(CLOSE_MS),
  };
}
