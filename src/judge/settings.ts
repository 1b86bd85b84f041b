export const judgeModes = ["auto", "off", "required"] as const;
export type JudgeMode = (typeof judgeModes)[number];

/** Address and key of a provider's models. */
export interface ProviderSettings {
  /** Which wire format it speaks. */
  readonly kind: "anthropic" | "openai";
  /** Null: the vendor's own address. For `openai` it includes the version (`…/v1`); a query (`?api-version=`) is kept. */
  readonly baseUrl: string | null;
  /** The environment variable that holds the key; null: it takes none. */
  readonly keyEnv: string | null;
  /** How the key is sent; null: as the vendor wants it (`api-key` for Azure). */
  readonly auth: "bearer" | "api-key" | null;
}

/** Null: no limit. */
export interface SpendLimit {
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** The `judge` section of the configuration, complete. */
export interface JudgeServiceSettings {
  readonly mode: JudgeMode;
  /** For specs that name no model; null: whatever built-in provider has a key. */
  readonly model: string | null;
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** Calls at a time. */
  readonly concurrency: number;
  /** For each provider; null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** `run`: for judging one agent run; `hour`: for any 60 minutes. */
  readonly budget: { readonly run: SpendLimit; readonly hour: SpendLimit };
  /** JSON lines; false: no cache; null: not configured, so that only `test` caches, in the data folder. */
  readonly cache: string | false | null;
  /** The cache is the one in the data folder: bounded in size, and replies count only for the address that gave them. */
  readonly isOwnCache: boolean;
  /** Further folders with rubric templates. */
  readonly rubrics: readonly string[];
  /** File that judge-audit wrote, for rubrics with `blocking: only-if-audited`. */
  readonly audits: string | null;
  /** Longest text of one block shown to a judge, in characters. */
  readonly maxText: number;
}
