import { isArray, isObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { convertAnswers } from "../receive/dump/stored/convert.ts";
import type { Page } from "./trace-source.ts";

/** A store's page as lines of OTLP/JSON. */
export interface OtlpPage {
  readonly lines: readonly string[];
  readonly spans: number;
  readonly invalid: readonly string[];
  readonly next: string | null;
}

/** Converts pages of a store into OTLP/JSON, and counts their traces. */
export class OtlpConversion {
  readonly #limit: number;
  readonly #traceIds = new Set<string>();
  readonly #earlier: number;
  readonly #service: string | undefined;

  /**
   * @param limit maximum number of traces
   * @param earlier number of traces that were already read, if an interrupted pull is continued
   * @param service service name for resources without a service name
   */
  constructor(limit: number, earlier: number, service: string | undefined) {
    this.#limit = limit;
    this.#earlier = earlier;
    this.#service = service;
  }

  get traces(): number {
    return this.#earlier + this.#traceIds.size;
  }

  /** Whether the maximum number of traces is reached. */
  get isComplete(): boolean {
    return this.traces >= this.#limit;
  }

  /** Converts a page. Drops the traces that exceed the limit. */
  convert({ answers, next }: Page): OtlpPage {
    const { documents, invalid } = convertAnswers(answers);
    let spans = 0;
    const keeps = (span: JsonValue): boolean => {
      const id = isObject(span) ? span["traceId"] : undefined;
      if (typeof id === "string" && !this.#traceIds.has(id)) {
        if (this.isComplete) return false;
        this.#traceIds.add(id);
      }
      spans++;
      return true;
    };
    const lines = documents
      .map((document) => filterSpans(document, keeps))
      .map((document) =>
        JSON.stringify(this.#service === undefined ? document : ofService(document, this.#service)),
      );
    return { lines, spans, invalid: invalid.map(({ reason }) => reason), next };
  }
}

/** Adds the service name to each resource that has none. */
function ofService(document: JsonObject, service: string): JsonObject {
  const named = { key: "service.name", value: { stringValue: service } };
  const all = document["resourceSpans"];
  const resourceSpans = (isArray(all) ? all.filter(isObject) : []).map((one): JsonObject => {
    const resource = isObject(one["resource"]) ? one["resource"] : {};
    const attributes = isArray(resource["attributes"]) ? resource["attributes"].filter(isObject) : [];
    if (attributes.some(({ key }) => key === "service.name")) return one;
    return { ...one, resource: { ...resource, attributes: [...attributes, named] } };
  });
  return { ...document, resourceSpans };
}

function filterSpans(document: JsonObject, keeps: (span: JsonValue) => boolean): JsonObject {
  const filter = (value: JsonValue | undefined, path: readonly string[]): JsonValue => {
    const [key, ...deeper] = path;
    if (key === undefined) return isArray(value) ? value.filter(keeps) : [];
    if (!isArray(value)) return [];
    return value.map((one) => (isObject(one) ? { ...one, [key]: filter(one[key], deeper) } : one));
  };
  return { resourceSpans: filter(document["resourceSpans"], ["scopeSpans", "spans"]) };
}
