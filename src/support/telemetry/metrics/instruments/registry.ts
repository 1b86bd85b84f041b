import { parse } from "yaml";
import { z } from "zod";

const attribute = z.strictObject({
  id: z.string(),
  type: z.enum(["string", "boolean", "int", "double", "string[]", "any", "template[any]"]),
  stability: z.enum(["development", "stable"]),
  brief: z.string(),
  examples: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1),
});
const reference = z.strictObject({
  ref: z.string(),
  requirement_level: z.enum(["required", "recommended"]).default("recommended"),
});
const signal = {
  id: z.string(),
  stability: z.enum(["development", "stable"]),
  brief: z.string(),
  attributes: z.array(reference).default([]),
};
const group = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("attribute_group"),
    id: z.string(),
    brief: z.string(),
    attributes: z.array(attribute),
  }),
  z.strictObject({ type: z.literal("entity"), name: z.string(), ...signal }),
  z.strictObject({ type: z.literal("event"), name: z.string(), ...signal }),
  z.strictObject({ type: z.literal("span"), name: z.string(), span_kind: z.string(), ...signal }),
  z.strictObject({
    type: z.literal("metric"),
    metric_name: z.string(),
    instrument: z.enum(["counter", "histogram", "gauge"]),
    unit: z.string(),
    ...signal,
  }),
]);

/**
 * Content of `docs/telemetry.yaml`: all telemetry that Tracejury emits, in the format of OpenTelemetry's
 * semantic conventions.
 */
export type Registry = z.infer<typeof registry>;
export type RegistryGroup = Registry["groups"][number];
export type RegistryAttribute = z.infer<typeof attribute>;
const registry = z.strictObject({ groups: z.array(group) });

/** @throws ZodError if the text is not a registry */
export function parseRegistry(text: string): Registry {
  return registry.parse(parse(text));
}

export function groupsOf<Type extends RegistryGroup["type"]>(
  from: Registry,
  type: Type,
): readonly Extract<RegistryGroup, { type: Type }>[] {
  return from.groups.filter((one): one is Extract<RegistryGroup, { type: Type }> => one.type === type);
}
