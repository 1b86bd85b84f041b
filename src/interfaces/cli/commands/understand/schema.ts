import { type ExitCode, ExitCode as Exit, type Io, write } from "../../../../support/process/io.ts";

export async function schema(which: string, _: object, io: Io): Promise<ExitCode> {
  await write(io.stdout, `${JSON.stringify(await schemaOf(which), null, 2)}\n`);
  return Exit.passed;
}

async function schemaOf(which: string): Promise<object> {
  if (which === "verdict")
    return (await import("../../../../report/json/verdict-schema.ts")).verdictJsonSchema();
  if (which === "config")
    return (await import("../../../../config/reference/json-schema.ts")).configJsonSchema();
  const { checks } = await import("../../../../evaluate/checks/registry.ts");
  return (await import("../../../../spec/reference/json-schema.ts")).specJsonSchema(checks);
}
