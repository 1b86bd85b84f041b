import { decodePercent } from "../../../support/structures/percent-encoding.ts";

/** Returns the service name that OpenTelemetry SDKs read from the environment; undefined if there is none. */
function serviceOf(env: NodeJS.ProcessEnv): string | undefined {
  return env["OTEL_SERVICE_NAME"] || resourceAttributes(env["OTEL_RESOURCE_ATTRIBUTES"])["service.name"];
}

/** Parses `OTEL_RESOURCE_ATTRIBUTES`: `key=value` pairs with percent-encoding. */
function resourceAttributes(list: string | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (list ?? "").split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at <= 0 ? [] : [[pair.slice(0, at).trim(), decodePercent(pair.slice(at + 1).trim())]];
    }),
  );
}

/**
 * Returns the resource attributes of a process from its environment.
 * @param name service name to use if the environment has none
 */
export function processResource(env: NodeJS.ProcessEnv, name: string): Readonly<Record<string, string>> {
  const own = resourceAttributes(env["OTEL_RESOURCE_ATTRIBUTES"]);
  return { ...own, "service.name": serviceOf(env) ?? name };
}
