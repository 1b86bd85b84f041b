import type { Refusal } from "../ports.ts";

export type Inflated =
  | { readonly kind: "whole"; readonly body: Uint8Array }
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "too_large" }
  | Refusal;
