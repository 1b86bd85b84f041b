import { key } from "../../model/telemetry/attribute-key.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { scopeNames } from "../../otlp/rows/scope-names.ts";
import { viewResource } from "../../otlp/rows/span-view.ts";

const SERVICE = key("service.name");
const LONGEST_NAME = 256;

interface Sources {
  readonly scopes: readonly string[];
  readonly services: string[];
  readonly sources: string[];
}

/** Service and scope of each row. They are needed for every row, so they are cached by batch and scope. */
export class BatchSources {
  readonly #known = new WeakMap<Batch, Sources>();

  /**
   * Returns the service of a scope; empty if the scope's resource names no service. A long name is truncated, and a hash of it is appended.
   */
  serviceOf(batch: Batch, scope: number): string {
    const { services } = this.#of(batch);
    return (services[scope] ??= bounded(viewResource(batch, scope).text(SERVICE) ?? ""));
  }

  /** Returns the service and the scope name as one text. */
  sourceOf(batch: Batch, scope: number): string {
    const { scopes, sources } = this.#of(batch);
    return (sources[scope] ??= `${this.serviceOf(batch, scope)}\u0000${scopes[scope] ?? ""}`);
  }

  scopesOf(batch: Batch): readonly string[] {
    return this.#of(batch).scopes;
  }

  #of(batch: Batch): Sources {
    let known = this.#known.get(batch);
    if (known === undefined) {
      known = { scopes: scopeNames(batch).map(bounded), services: [], sources: [] };
      this.#known.set(batch, known);
    }
    return known;
  }
}

function bounded(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}${hash(name, 1)}`;
}

/** Returns a hash of a text's UTF-16 code units: FNV-1a with the final mixing of MurmurHash3. */
export function hash(text: string, seed: number): number {
  let value = Math.imul(seed, 0x9e3779b1) ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
