import { randomBytes } from "node:crypto";
import { modelEnvironment, type Mount } from "../../../model-server/base-urls.ts";
import { callSpan, type RecordedCall, spansRequest } from "../../../model-server/record/call-span.ts";
import { ConversationTraces } from "../../../model-server/record/conversation-traces.ts";
import { KnownSecrets } from "../../../model-server/record/known-secrets.ts";
import { type CallOrigin, ModelRecorder } from "../../../model-server/record/model-recorder.ts";
import { type AgentSpan, placeCalls, type UnplacedCall } from "../../../model-server/record/place-calls.ts";
import { openRecordServer, type RecordServer } from "../../../model-server/record/record-server.ts";
import { secretName } from "../../../support/redact/detectors/secret-names.ts";
import { serviceOf } from "./resource.ts";

/** The model server as the process of one call of the agent sees it. */
export interface CallModels {
  /** Segment of the base URLs. */
  readonly callId: string;
  /** Further variables for the process. */
  readonly variables: Readonly<Record<string, string>>;
}

interface KeptCall {
  readonly call: RecordedCall;
  readonly unplaced: UnplacedCall;
}

export interface AgentRecordingOptions {
  /** Environment of the agent: base URLs, keys, resource attributes. */
  readonly env: NodeJS.ProcessEnv;
  /** `service.name` where the environment has none. */
  readonly service: string;
  /** Address of the model server. Default: a free port of this machine. */
  readonly port?: number;
}

/** Calls of an agent whose base URL has no segment of its own. */
const SHARED = "";

/** A model server between an agent and its providers, and the calls that went through it. */
export class AgentRecording {
  /** The keys that were used, to be taken out of whatever is written. */
  readonly secrets = new KnownSecrets();
  readonly #options: AgentRecordingOptions;
  readonly #calls = new Map<string, KeptCall[]>();
  readonly #traceIds = new Map<string, string>();
  readonly #conversations = new ConversationTraces();
  readonly #mounts = new Map<string, Mount>();
  readonly #recorder: ModelRecorder;
  #server: RecordServer | null = null;

  private constructor(options: AgentRecordingOptions) {
    this.#options = options;
    for (const [name, value] of Object.entries(options.env))
      if (value !== undefined && secretName(name) === "certain") this.secrets.add(value);
    for (const mount of modelEnvironment(options.env, "", "").mounts) this.#mounts.set(mount.name, mount);
    this.#recorder = new ModelRecorder({
      mounts: () => this.#mounts,
      onHead: (rawHeaders, target) => this.secrets.addOf(rawHeaders, target),
      onCall: (call, origin) => this.#keep(call, origin),
    });
  }

  /** @throws AddressError when the port cannot be listened on */
  static async open(options: AgentRecordingOptions): Promise<AgentRecording> {
    const recording = new AgentRecording(options);
    recording.#server = await openRecordServer({
      address: { host: "127.0.0.1", port: options.port ?? 0 },
      setting: "receivers.models",
      recorder: recording.#recorder,
    });
    return recording;
  }

  /** `http://127.0.0.1:PORT`. */
  get origin(): string {
    return this.#server?.origin ?? "";
  }

  /** Variables for a process whose calls share one trace. */
  forProcess(): CallModels {
    const callId = randomBytes(6).toString("hex");
    this.#traceIds.set(callId, randomBytes(16).toString("hex"));
    return { callId, variables: modelEnvironment(this.#options.env, this.origin, callId).variables };
  }

  /** How many calls of a process are over. */
  callsOf(callId: string): number {
    return this.#calls.get(callId)?.length ?? 0;
  }

  /** Settles when the calls of a process that has ended have been read. */
  settled(callId: string): Promise<void> {
    return this.#recorder.settled(callId);
  }

  /**
   * The calls so far as an OTLP/JSON request, each among the agent's own spans; null when there are none. Keys that were used are in none of it.
   * @param resource attributes of what the process sends, besides its service's name
   */
  spansOf(
    callId: string,
    agentSpans: readonly AgentSpan[],
    resource: Readonly<Record<string, string>>,
  ): string | null {
    const kept = this.#calls.get(callId) ?? [];
    if (kept.length === 0) return null;
    const places = placeCalls(
      kept.map(({ unplaced }) => unplaced),
      agentSpans,
    );
    const spans = kept.flatMap(({ call, unplaced }) => {
      const place = places.get(unplaced);
      return place === undefined ? [] : [callSpan(call, place)];
    });
    const attributes = { "service.name": serviceOf(this.#options.env) ?? this.#options.service, ...resource };
    return this.secrets.removeFrom(JSON.stringify(spansRequest(spans, attributes)));
  }

  async close(graceMs: number): Promise<void> {
    await this.#server?.close(graceMs);
  }

  #keep(call: RecordedCall, { callId, parent }: CallOrigin): true {
    const own = callId === null ? undefined : this.#traceIds.get(callId);
    const key = own === undefined ? SHARED : (callId ?? SHARED);
    const unplaced: UnplacedCall = {
      spanId: randomBytes(8).toString("hex"),
      responseId: call.answer?.id ?? null,
      parent,
      traceId: own ?? this.#conversations.traceOf(this.#options.service, call).traceId,
      hasFailed: call.error !== null,
      startUnixMs: call.startUnixMs,
      endUnixMs: call.endUnixMs,
    };
    const calls = this.#calls.get(key);
    if (calls === undefined) this.#calls.set(key, [{ call, unplaced }]);
    else calls.push({ call, unplaced });
    return true;
  }
}
