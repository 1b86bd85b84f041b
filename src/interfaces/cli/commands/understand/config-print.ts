import { printJson, printYaml } from "../../../../config/reference/print.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, readConfig } from "../../../../config/command-settings.ts";

export interface ConfigPrintOptions extends ConfigFlags {
  readonly format: "yaml" | "json";
}

/**
 * Prints the effective configuration, which combines files, flags, environment and defaults. Secrets are
 * masked.
 */
export async function configPrint(options: ConfigPrintOptions, io: Io): Promise<ExitCode> {
  const loaded = await readConfig(options, io);
  await write(io.stdout, options.format === "json" ? printJson(loaded) : printYaml(loaded));
  return ExitCode.passed;
}
