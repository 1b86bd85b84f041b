import {
  openSharedRecording,
  type RecordingOptions,
  type SharedRecording,
} from "../../../replay/agent/recording/open-recording.ts";
import { processResource } from "../../../replay/agent/recording/resource.ts";
import type { TestModels, TestModelsOptions } from "./test-models.ts";

interface ProviderOptions extends TestModelsOptions, Pick<RecordingOptions, "file" | "between"> {}

/**
 * Passes the model calls of agents in tests to the agents' providers. Records the calls, and can inject a
 * fault.
 */
class ProviderModels implements TestModels {
  readonly #options: ProviderOptions;
  readonly #recording: SharedRecording;

  constructor(options: ProviderOptions, recording: SharedRecording) {
    this.#options = options;
    this.#recording = recording;
    this.restart();
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#recording.variables;
  }

  restart(): void {
    const { receiver, io } = this.#options;
    this.#recording.begin(receiver, processResource(io.env, "agent"));
  }

  playbackOf(): null {
    this.restart();
    return null;
  }

  keepCalls(): Promise<void> {
    return this.#recording.keepAll();
  }

  close(): Promise<void> {
    return this.#recording.close();
  }
}

/**
 * Opens a model server that passes model calls to the providers.
 * @throws UserError if the server cannot be started
 */
export async function openProviderModels(options: ProviderOptions): Promise<TestModels> {
  const { io, config, file, between } = options;
  const recording = await openSharedRecording({ env: io.env, config, file, between, port: 0 });
  return new ProviderModels(options, recording);
}
