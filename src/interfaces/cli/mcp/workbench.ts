import type { Called, Workbench } from "../../mcp/workbench.ts";
import { replayOnly } from "../../../replay/replay-only.ts";
import { ExitCode, type Io, UserError } from "../../../support/process/io.ts";
import type { ConfigFlags } from "../../../config/command-settings.ts";
import { capturedIo } from "../../../support/process/captured-io.ts";
import type { UserCheckRefusal } from "../../../judge/user-checks/open-user-checks.ts";

const commandsNotAllowed: UserCheckRefusal = {
  message:
    "the check was not run: it would start a program, and this MCP server was started without --allow-commands",
  remedy:
    "Run `tracejury test` yourself, or start the server with `tracejury mcp --allow-commands` if you trust everyone who can write the spec.",
};

/** Returns the commands that the tools of the MCP server call. The commands run in this process, but their output is captured. */
export function createWorkbench(
  { config, set }: ConfigFlags,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Workbench {
  const flags = { config, set };
  const called = async (command: (io: Io) => Promise<ExitCode>): Promise<Called> => {
    const { io, stdout, stderr } = capturedIo(env, cwd);
    try {
      const exitCode = await command(io);
      return { exitCode, stdout: stdout(), stderr: stderr() };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const fix = error.hint === undefined ? "" : `\nfix: ${error.hint}`;
      const messages = `${stderr()}${error.message}${fix}`;
      return { exitCode: ExitCode.undecided, stdout: stdout(), stderr: messages };
    }
  };
  return {
    test: ({ dumps, specs, queries, judge, mayRunCommands }) =>
      called(async (io) => {
        const { test } = await import("../../../replay/test.ts");
        return test(
          dumps,
          {
            ...replayOnly,
            ...flags,
            spec: specs,
            query: queries,
            judge,
            format: "console",
            ...(mayRunCommands ? {} : { userCheckRefusal: commandsNotAllowed }),
          },
          io,
        );
      }),
    inspect: (dumps, format) =>
      called(async (io) =>
        (await import("../commands/understand/inspect.ts")).inspect(dumps, { ...flags, format }, io),
      ),
    doctor: (dumps, specs) =>
      called(async (io) => {
        const { doctor } = await import("../commands/understand/doctor.ts");
        return doctor(dumps, { ...flags, spec: specs, format: "console" }, io);
      }),
    propose: ({ dumps, spec, most, redact, mayWrite, mayRunCommands }) =>
      called(async (io) => {
        const { propose } = await import("../commands/author/propose.ts");
        return propose(
          dumps,
          {
            ...flags,
            spec,
            most,
            redact,
            dryRun: !mayWrite,
            format: "console",
            ...(mayRunCommands ? {} : { userCheckRefusal: commandsNotAllowed }),
          },
          io,
        );
      }),
    validate: (files) =>
      called(async (io) =>
        (await import("../commands/understand/validate.ts")).validate(files, { format: "console" }, io),
      ),
  };
}
