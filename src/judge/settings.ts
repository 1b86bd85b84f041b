export const judgeModes = ["auto", "off", "required"] as const;
export type JudgeMode = (typeof judgeModes)[number];

/** Address and key of a provider of judge models. */
export interface ProviderSettings {
  /** API format of the provider. */
  readonly kind: "anthropic" | "openai";
  /**
   * Base URL; null for the vendor's. With `openai`, the base URL includes the version (`…/v1`) and can have a query string
   * (`?api-version=`).
   */
  readonly baseUrl: string | null;
  /** Environment variable with the key; null if no key is needed. */
  readonly keyEnv: string | null;
  /** How the key is sent; null for the vendor's default (`api-key` for Azure). */
  readonly auth: "bearer" | "api-key" | null;
}

/** Limits of tokens and US dollars; null means no limit. */
export interface SpendLimit {
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** The `judge` section of the configuration, with defaults. */
export interface JudgeServiceSettings {
  readonly mode: JudgeMode;
  /** Model of specs that name no model; null for AgentCI's default model, which depends on the available keys. */
  readonly model: string | null;
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Maximum requests per minute and provider; null means no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Number of retries after the first attempt. */
  readonly retries: number;
  /** Budgets: `run` for each agent run, `hour` for any 60 minutes. */
  readonly budget: { readonly run: SpendLimit; readonly hour: SpendLimit };
  /**
   * Path of the cache, in JSON lines. False: no cache. Null (not configured): `test` uses a cache in the data folder, other commands none.
   */
  readonly cache: string | false | null;
  /**
   * True if the cache is in the data folder. The cache in the data folder has a size limit, and a cached reply is valid only for the
   * provider's address from which the reply came.
   */
  readonly isOwnCache: boolean;
  /** Additional folders with rubric templates. */
  readonly rubrics: readonly string[];
  /**
   * Path of a report of `judge-audit`; null if none is configured. The report decides when rubrics with `blocking: only-if-audited` can
   * fail a run, and when the first model of a cascade is sure.
   */
  readonly audits: string | null;
  /** Maximum number of characters of one text block in a prompt. */
  readonly maxText: number;
}
