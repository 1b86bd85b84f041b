import { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";
import type { Layer } from "../../../model/outcome.ts";
import { jsonValue } from "../../../support/structures/json-schema.ts";

/** A user check: a check of the project, which runs in another process. */
export interface UserCheck {
  /** Name of the check in results: `checks.<name>`. */
  readonly name: string;
  /** An exported function (`./checks.mjs#name`, relative to the spec) or a command line. */
  readonly runs: { readonly module: string; readonly exported: string } | { readonly command: string };
  readonly layer: Layer;
  /** Arguments from the spec, passed to the check unchanged. */
  readonly args: JsonValue;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const MOST_TIMEOUT_MS = 120_000;

const moduleText = z
  .string()
  .regex(/^[^#]+\.(?:mjs|js|cjs)#[A-Za-z_$][\w$]*$/, "a module and its export, such as ./checks.mjs#name");

const written = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][\w-]{0,59}$/, "letters, digits, `_` and `-`")
      .describe("Name in results. Default: the export or command")
      .exactOptional(),
    module: moduleText
      .describe("Exported function of a JavaScript module, such as ./checks.mjs#name")
      .exactOptional(),
    command: z
      .string()
      .regex(/\S/, "text that is not blank")
      .describe("Command that reads the run as JSON and writes the result as JSON")
      .exactOptional(),
    layer: z
      .enum(["correctness", "path", "cost"])
      .describe("Layer of the check. Default: correctness")
      .exactOptional(),
    args: jsonValue.describe("Arguments for the check").exactOptional(),
    timeout_ms: z
      .int()
      .min(1)
      .max(MOST_TIMEOUT_MS)
      .describe("Time-out in milliseconds. Default: 5000")
      .exactOptional(),
  })
  .refine(({ module, command }) => (module === undefined) !== (command === undefined), {
    message: "needs either `module` or `command`",
  });

const one = z.union([moduleText, written]);

/** Schema of the key `checks:` of a query. */
export const userChecksSchema = z
  .union([one, z.array(one).min(1)])
  .describe("Your own checks: functions of a JavaScript module, or commands");
export type UserCheckText = z.infer<typeof one>;

/** Returns a user check with its defaults filled in. */
export function userCheckOf(text: UserCheckText): UserCheck {
  const {
    name,
    module,
    command = "",
    layer,
    args,
    timeout_ms,
  } = typeof text === "string" ? ({ module: text } as Exclude<UserCheckText, string>) : text;
  const [file = "", exported = ""] = module?.split("#") ?? [];
  return {
    name: name ?? (module === undefined ? programName(command) : exported),
    runs: module === undefined ? { command } : { module: file, exported },
    layer: layer ?? "correctness",
    args: args ?? null,
    timeoutMs: timeout_ms ?? DEFAULT_TIMEOUT_MS,
  };
}

/** Returns the name of a command's script or program: `check_refund` for `python3 tools/check_refund.py --strict`. */
function programName(command: string): string {
  const words = command.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
  const script = words.find((word) => /\.\w+$/.test(word)) ?? words[0] ?? "";
  const name = script.slice(script.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name.replaceAll(/[^\w-]/g, "_").slice(0, 60) || "command";
}
