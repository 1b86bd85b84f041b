import type { AgentModels } from "../models/agent-models.ts";
import type { Config } from "../../../config/config.ts";
import { Redactor } from "../../../support/redact/redactor.ts";
import type { CallReceiver } from "../call-receiver.ts";
import type { CallPlan } from "../call.ts";
import type { CallModels } from "../process/exec-call.ts";
import { CallReader } from "../../../model-server/record/call-reader.ts";
import type { Responder } from "../../../model-server/server/responder.ts";
import { queryIdAttribute } from "../../../match/matcher.ts";
import { conversationAttribute } from "../../../model/telemetry/own-scope.ts";
import { UserError } from "../../../support/process/io.ts";
import { messageOf } from "../../../support/structures/error-message.ts";
import { AgentRecording } from "./agent-recording.ts";
import { keepModelCalls, RecordedDump } from "./kept-telemetry.ts";
import { processResource } from "./resource.ts";

/**
 * Model server of `test --exec`: forwards the agent's model calls to their providers, and records them. The caller must close the server.
 */
export interface OpenRecording {
  /** Opens the model server for one call of the agent, for `execCall`. */
  readonly openModels: (plan: CallPlan, receiver: CallReceiver) => CallModels;
  readonly close: () => Promise<void>;
}

export interface RecordingOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly config: Config;
  /** Dump for the agent's telemetry and model calls, without secrets; null for none. */
  readonly file: string | null;
  readonly between?: ((provider: Responder) => Responder) | undefined;
}

/**
 * Returns the resource attributes for a call's model calls: the attributes of the process, and the ids of query and conversation. The
 * service name is the spec's agent if the environment contains no service name.
 */
export function resourceOf(
  env: NodeJS.ProcessEnv,
  { spec, query, turn }: CallPlan,
): Readonly<Record<string, string>> {
  const name = spec.agent === "*" ? "agent" : spec.agent;
  const conversation = turn === undefined ? {} : { [conversationAttribute]: turn.session };
  return { ...processResource(env, name), [queryIdAttribute]: query.id, ...conversation };
}

const CLOSE_MS = 2_000;

/**
 * Returns the redactor for a dump that may be passed on. The redactor removes keys and tokens, and applies `redact` of the configuration.
 */
export function recordingRedactor({ redact }: Config): Redactor {
  return new Redactor({ ...redact, detectors: [...new Set(["keys" as const, ...redact.detectors])] });
}

/**
 * Opens the model server for `test --models record:FILE`, and for runs that are repeated with the real model.
 * @throws AddressError if the server cannot listen on its port
 */
export async function openRecording(options: RecordingOptions): Promise<OpenRecording> {
  const { env, config, file, between } = options;
  const recording = await AgentRecording.open({ env, between });
  const dump = file === null ? null : new RecordedDump(file, new CallReader(recordingRedactor(config)));
  return {
    openModels: (plan, receiver) => {
      const { callId, variables } = recording.forProcess(resourceOf(env, plan));
      return {
        variables,
        keep: async (hasEnded) => {
          if (hasEnded) await recording.ended(callId);
          const { calls, secrets } = recording;
          await keepModelCalls({ calls, callId, receiver, config, secrets });
          if (hasEnded) await dump?.add(receiver.kept, config, recording.secrets);
        },
      };
    },
    close: async () => {
      await recording.close(CLOSE_MS);
      recording.release();
      dump?.removeLate(recording.secrets);
      dump?.close();
    },
  };
}

/**
 * Returns the environment without variables that contain this server's own URL. Such a variable can remain in the user's shell after an
 * earlier recording; the server would then call itself as the provider.
 */
function withoutAddress(env: NodeJS.ProcessEnv, port: number): NodeJS.ProcessEnv {
  const isOwn = (value: string | undefined): boolean => {
    if (value === undefined || !URL.canParse(value)) return false;
    const { hostname, port: own } = new URL(value);
    return own === String(port) && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  };
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !isOwn(value)));
}

/**
 * Model server for an agent that already runs: forwards the agent's model calls to the providers, and records them. The caller must close
 * the server.
 */
export interface SharedRecording extends OpenRecording {
  /** Environment variables with which the agent uses the model server. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Begins the next call of the agent. Returns a function that adds the call's model calls to the receiver's
   * telemetry.
   */
  readonly begin: (receiver: CallReceiver, resource: Readonly<Record<string, string>>) => () => Promise<void>;
  /** For each previous call of the agent, adds its model calls to the telemetry of its receiver. */
  readonly keepAll: () => Promise<void>;
}

/**
 * Opens the model server of an agent with one base URL for all its calls. A model call is assigned to the agent call that began last.
 * @throws UserError if the port cannot be used
 */
export async function openSharedRecording(
  options: RecordingOptions & { readonly port: number },
): Promise<SharedRecording> {
  const { config, file, between, port } = options;
  const env = withoutAddress(options.env, port);
  const recording = await AgentRecording.open({ env, between, sharedPort: port }).catch((error: unknown) => {
    throw new UserError(`--models-port ${port}: ${messageOf(error)}`, "choose another port");
  });
  const dump = file === null ? null : new RecordedDump(file, new CallReader(recordingRedactor(config)));
  const { calls, secrets } = recording;
  // A dump always gets the recorded model calls. Without a dump, the runs are only judged, and recorded model calls are added only if the
  // agent's own spans contain none.
  const isSubstitute = dump === null;
  const begun: (() => Promise<void>)[] = [];
  let last: CallReceiver | null = null;
  const keepAll = async (): Promise<void> => {
    for (const keep of begun) await keep();
  };
  const begin: SharedRecording["begin"] = (receiver, resource) => {
    last = receiver;
    const callId = recording.begin(resource);
    const keep = async (): Promise<void> => {
      await recording.settled(callId);
      await keepModelCalls({ calls, callId, receiver, config, secrets, isSubstitute });
    };
    begun.push(keep);
    return keep;
  };
  return {
    variables: recording.sharedVariables,
    begin,
    keepAll,
    openModels: (plan, receiver) => ({ variables: {}, keep: begin(receiver, resourceOf(env, plan)) }),
    close: async () => {
      await recording.close(CLOSE_MS);
      if (dump !== null && last !== null) {
        await keepAll();
        await dump.add(last.kept, config, secrets);
      }
      recording.release();
      dump?.removeLate(secrets);
      dump?.close();
    },
  };
}

/** Returns the models of the agents' providers. Calls of these models are recorded. */
export async function openProviders(options: RecordingOptions): Promise<AgentModels> {
  const { openModels, close } = await openRecording(options);
  return { call: (plan, start) => start(plan, options.env, openModels), close };
}
