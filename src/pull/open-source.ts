import type { Clock } from "../judge/limits/clock.ts";
import type { SourceAddress, SourceKind } from "./address.ts";
import { StoreClient } from "./store-client.ts";
import type { Page, TraceSource } from "./trace-source.ts";
import type { PullWindow } from "./window.ts";

/** Each source is loaded when it is used. */
const sources: Readonly<Record<SourceKind, () => Promise<TraceSource>>> = {
  phoenix: async () => (await import("./sources/phoenix.ts")).phoenixPages,
  langfuse: async () => (await import("./sources/langfuse.ts")).langfusePages,
  mlflow: async () => (await import("./sources/mlflow.ts")).mlflowPages,
  clickhouse: async () => (await import("./sources/clickhouse.ts")).clickhousePages,
  s3: async () => (await import("./sources/s3.ts")).s3Pages,
  tempo: async () => (await import("./sources/tempo.ts")).tempoPages,
  jaeger: async () => (await import("./sources/jaeger.ts")).jaegerPages,
};

export interface OpenSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly window: PullWindow;
  readonly onWait: (reason: string, ms: number) => void;
  readonly onGap: (message: string) => void;
}

/** The pages of a store from a cursor on. */
export async function* sourcePages(
  address: SourceAddress,
  cursor: string | null,
  { env, clock, window, onWait, onGap }: OpenSourceOptions,
): AsyncGenerator<Page> {
  const org = address.options.get("org");
  const headers: Record<string, string> = org === undefined ? {} : { "x-scope-orgid": org };
  const client = new StoreClient(address, { env, clock, onWait }, headers);
  const source = await sources[address.kind]();
  yield* source({ address, window, client, env, onGap }, cursor);
}
