import type { EvidenceName } from "../evidence.ts";

/** A setting of one instrumentation and the evidence that it lets through. */
export interface Switch {
  readonly gives: readonly EvidenceName[];
  /** What to set, in the agent's process. */
  readonly set: string;
}

/** What is known of an instrumentation: how to recognise it, what to switch on, what it never shows. */
export interface Producer {
  readonly name: string;
  /** Instrumentation scopes; a name ending in `*` is a prefix. */
  readonly scopes: readonly string[];
  /** Dialects of which its spans must speak one, where the scope alone could be another's. */
  readonly dialects?: readonly string[];
  readonly switches: readonly Switch[];
  readonly cannot?: readonly { readonly what: EvidenceName; readonly why: string }[];
  /** Page under docs/agents. */
  readonly page: string;
}
