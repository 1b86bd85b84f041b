export const judgeModes = ["auto", "off", "required"] as const;
export type JudgeMode = (typeof judgeModes)[number];

/** Address and key of a model provider. */
export interface ProviderSettings {
  /** API format of the provider. */
  readonly kind: "anthropic" | "openai";
  /**
   * Base URL; null: the URL of the vendor. For `openai`, the base URL includes the version (`…/v1`), and a
   * query string (`?api-version=`) is kept.
   */
  readonly baseUrl: string | null;
  /** Environment variable with the key; null if the provider needs no key. */
  readonly keyEnv: string | null;
  /** How the key is sent; null: the vendor's default (`api-key` for Azure). */
  readonly auth: "bearer" | "api-key" | null;
}

/** Limits of tokens and cost; null: no limit. */
export interface SpendLimit {
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** The complete `judge` section of the configuration. */
export interface JudgeServiceSettings {
  readonly mode: JudgeMode;
  /** Model for specs that do not name a model; null: the model of a built-in provider with a key. */
  readonly model: string | null;
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Maximum requests per minute of each provider; null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Number of attempts after the first one. */
  readonly retries: number;
  /** `run`: budget for one agent run. `hour`: budget for any 60 minutes. */
  readonly budget: { readonly run: SpendLimit; readonly hour: SpendLimit };
  /**
   * Path of the cache in JSON lines. False: no cache. Null: not configured; the command `test` then uses a
   * cache in the data folder, and other commands use no cache.
   */
  readonly cache: string | false | null;
  /**
   * Whether the cache is the cache in the data folder. The size of this cache is limited, and a cached reply
   * is valid only for the provider's address from which the reply came.
   */
  readonly isOwnCache: boolean;
  /** Additional folders with rubric templates. */
  readonly rubrics: readonly string[];
  /** Report of judge-audit, for rubrics with `blocking: only-if-audited`. */
  readonly audits: string | null;
  /** Maximum characters of one text block in a judge's prompt. */
  readonly maxText: number;
}
