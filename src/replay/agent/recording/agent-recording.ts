import { randomBytes } from "node:crypto";
import { modelEnvironment, type Mount } from "../../../model-server/base-urls.ts";
import { KnownSecrets } from "../../../model-server/record/known-secrets.ts";
import { ModelRecorder } from "../../../model-server/record/model-recorder.ts";
import type { CallReader } from "../../../model-server/record/call-reader.ts";
import { openRecordServer, type RecordServer } from "../../../model-server/record/record-server.ts";
import type { Responder } from "../../../model-server/server/responder.ts";
import { secretName } from "../../../support/redact/detectors/secret-names.ts";
import { CallFile } from "./call-file.ts";
import { KeptCalls } from "./kept-calls.ts";

/** How an agent process reaches the model server. */
export interface ProcessModels {
  /** Id of the call, which is a segment of the base URLs. */
  readonly callId: string;
  /** Additional environment variables for the process. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface AgentRecordingOptions {
  /** Environment of the agent, from which the base URLs and keys of its model providers are read. */
  readonly env: NodeJS.ProcessEnv;
  /** Wraps the responder that calls the providers, for example to inject faults. */
  readonly between?: ((provider: Responder) => Responder) | undefined;
  /**
   * Port for an agent that already runs and has one base URL for all its calls; 0 for a free port. If absent, each agent process gets its
   * own base URL.
   */
  readonly sharedPort?: number | undefined;
  /** Dump to which each model call is appended, without secrets, when it ends. Default: a temporary file. */
  readonly dump?: { readonly path: string; readonly reader: CallReader };
}

/** Environment variables with the working directory. Their names match the pattern for passwords (`PWD`), so they are excluded from it. */
const directories: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/** Milliseconds for which model calls may still run after the agent process has ended. */
const DRAIN_MS = 2_000;

/** A model server between an agent and its providers, which records model calls. */
export class AgentRecording {
  readonly calls: KeptCalls;
  /** API keys that the agent used. They are removed from all data that is written. */
  readonly secrets = new KnownSecrets();
  readonly #env: NodeJS.ProcessEnv;
  readonly #recorder: ModelRecorder;
  #server: RecordServer | null = null;
  #unwritten = 0;
  /** Id of the current call of an agent with one base URL for all its calls. */
  #current: string | null = null;

  private constructor(options: AgentRecordingOptions) {
    const { env, between, sharedPort, dump } = options;
    const { secrets } = this;
    this.#env = env;
    this.calls =
      dump === undefined
        ? new KeptCalls()
        : new KeptCalls({
            file: CallFile.at(dump.path),
            textOf: async (request) => {
              const text = await dump.reader.redact(request);
              return text === null ? null : secrets.removeFrom(text);
            },
            secrets,
          });
    for (const [name, value] of Object.entries(env))
      if (value !== undefined && !directories.has(name) && secretName(name) === "certain")
        this.secrets.add(value);
    const mounts = new Map<string, Mount>(
      modelEnvironment(env, "", "").mounts.map((mount) => [mount.name, mount]),
    );
    this.#recorder = new ModelRecorder({
      mounts: () => mounts,
      onHead: (rawHeaders, target) => this.secrets.addOf(rawHeaders, target),
      onCall: async (call, origin) => {
        try {
          return await this.calls.add(call, origin);
        } catch {
          this.#unwritten++;
          return false;
        }
      },
      ...(dump === undefined ? {} : { reader: dump.reader }),
      between,
      ...(sharedPort === undefined ? {} : { sharedCall: () => this.#current }),
    });
  }

  /**
   * Opens a recording server on the loopback addresses.
   * @throws AddressError if the server cannot listen on its port
   */
  static async open(options: AgentRecordingOptions): Promise<AgentRecording> {
    const recording = new AgentRecording(options);
    recording.#server = await openRecordServer({
      address: { host: "127.0.0.1", port: options.sharedPort ?? 0 },
      setting: "receivers.models",
      recorder: recording.#recorder,
      isOnBothLoopbacks: true,
    });
    return recording;
  }

  /** Number of model calls that could not be written. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Origin of the server: `http://127.0.0.1:PORT`. */
  get origin(): string {
    return this.#server?.origin ?? "";
  }

  /**
   * Registers a process, and returns the process's call id and environment variables. All model calls of the process get the same trace id.
   * @param resource resource attributes of the spans of model calls
   */
  forProcess(resource: Readonly<Record<string, string>>): ProcessModels {
    const callId = randomBytes(6).toString("hex");
    this.calls.begin(callId, resource);
    return { callId, variables: modelEnvironment(this.#env, this.origin, callId).variables };
  }

  /** Environment variables for an agent with one base URL for all its calls. */
  get sharedVariables(): Readonly<Record<string, string>> {
    return modelEnvironment(this.#env, this.origin, null).variables;
  }

  /** Begins the next call of an agent with one base URL for all its calls, and returns the call's id. */
  begin(resource: Readonly<Record<string, string>>): string {
    this.#current = randomBytes(6).toString("hex");
    this.calls.begin(this.#current, resource);
    return this.#current;
  }

  /** Resolves when all model calls that a running process has completed are recorded. */
  settled(callId: string): Promise<void> {
    return this.#recorder.settled(callId);
  }

  /** Resolves when the model calls of an ended process are recorded. A model call that still runs after `DRAIN_MS` is aborted. */
  ended(callId: string): Promise<void> {
    return this.#recorder.settled(callId, DRAIN_MS);
  }

  async close(graceMs: number): Promise<void> {
    await this.#server?.close(graceMs);
  }

  /** Closes the file with the recorded model calls. They cannot be read afterwards. */
  release(): void {
    this.calls.close();
  }
}
