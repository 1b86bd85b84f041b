import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { watchAnswers } from "../../../mcp/answering.ts";
import { createCollector } from "../../../mcp/collector.ts";
import { Folder } from "../../../mcp/folder.ts";
import { startMcpHttp } from "../../../mcp/http.ts";
import { mcpServers } from "../../../mcp/server.ts";
import { collectorTools } from "../../../mcp/tools/collector-tools.ts";
import { dumpTools } from "../../../mcp/tools/dump-tools.ts";
import { proposeTestsTool } from "../../../mcp/tools/propose-tests.ts";
import { specTools } from "../../../mcp/tools/spec-tools.ts";
import {
  type Address,
  AddressError,
  formatAddress,
  parseAddress,
} from "../../../../support/security/addresses/address.ts";
import { readCredentials } from "../../../../support/security/credentials.ts";
import { isLoopback } from "../../../../support/security/addresses/exposure.ts";
import { Guard } from "../../../../support/security/guard.ts";
import { SecurityError } from "../../../../support/security/addresses/address-guard.ts";
import { version } from "../../../../support/process/version.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { createWorkbench } from "../../mcp/workbench.ts";
import { stopSignal } from "../../../../collector/stop-signal.ts";
import { type ConfigFlags, loadSettings } from "../../../../config/command-settings.ts";

export interface McpOptions extends ConfigFlags {
  /** Address for streamable HTTP. If absent, the server uses standard input and output. */
  readonly http?: string;
  readonly collector: string;
  readonly root?: string;
  readonly allowWrite?: boolean;
  readonly allowJudges?: boolean;
  readonly allowCommands?: boolean;
}

/**
 * Runs the MCP server until its input ends or the process is stopped. The server gives coding agents tools to test agents with Tracejury.
 */
export async function mcp(options: McpOptions, io: Io): Promise<ExitCode> {
  const createServer = mcpServers(createTools(options, io), version);
  if (options.http !== undefined) return serveHttp(options.http, options, createServer, io);
  const server = createServer();
  const ended = new Promise((resolve) => io.stdin.once("end", resolve).once("close", resolve));
  const transport = new StdioServerTransport(io.stdin, io.stdout);
  await server.connect(transport);
  const answers = watchAnswers(transport);
  await Promise.race([ended.then(answers), stopSignal()]);
  await server.close();
  return ExitCode.passed;
}

function createTools(options: McpOptions, io: Io) {
  const folder = openFolder(options.root ?? io.cwd);
  const workbench = createWorkbench(options, io.env, folder.path);
  const collector = createCollector(collectorUrl(options.collector), io.env["TRACEJURY_TOKEN"]);
  const mayWrite = options.allowWrite === true;
  const mayRunCommands = options.allowCommands === true;
  return [
    ...collectorTools(collector),
    ...dumpTools({
      workbench,
      folder,
      mayAskJudges: options.allowJudges === true,
      mayRunCommands,
    }),
    ...specTools({ workbench, collector, folder, mayWrite }),
    proposeTestsTool({ workbench, collector, folder, mayWrite, mayRunCommands }),
  ];
}

async function serveHttp(
  written: string,
  options: McpOptions,
  createServer: ReturnType<typeof mcpServers>,
  io: Io,
): Promise<ExitCode> {
  const address = readAddress(written);
  const { config } = await loadSettings(options, io);
  const { allowWrite, allowJudges, allowCommands } = options;
  const scope = [allowWrite, allowJudges, allowCommands].includes(true) ? "admin" : "read";
  const guard = new Guard(credentials(config.security));
  if (!isLoopback(address.host) && !guard.guards("read", "admin") && !config.security.openWithoutAuth) {
    throw new UserError(
      `--http: other machines can reach ${written}, without credentials`,
      `listen on 127.0.0.1, or add a token with the scope ${scope} (security.tokens in the configuration)`,
    );
  }
  const { allowedHosts } = config.security;
  const server = await startMcpHttp({ address, guard, scope, allowedHosts, createServer }).catch(
    (error: Error) => {
      throw new UserError(
        `--http: cannot listen on ${written}: ${error.message}`,
        "choose another port, or 0",
      );
    },
  );
  await write(
    io.stdout,
    `${JSON.stringify({ listening: { mcp: `http://${formatAddress(server.listening)}/mcp` } })}\n`,
  );
  await stopSignal();
  await server.close();
  return ExitCode.passed;
}

function credentials(settings: Parameters<typeof readCredentials>[0]): ReturnType<typeof readCredentials> {
  try {
    return readCredentials(settings);
  } catch (error) {
    if (error instanceof SecurityError) throw new UserError(error.message);
    throw error;
  }
}

function readAddress(written: string): Address {
  try {
    const address = parseAddress(written, "admin");
    if (address !== null) return address;
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
  }
  throw new UserError(`--http ${written} is not an address`, "write host:port, as in --http 127.0.0.1:4320");
}

function collectorUrl(written: string): string {
  if (/^https?:\/\//.test(written) && URL.canParse(written)) return written;
  throw new UserError(
    `--collector ${written} is not an HTTP address`,
    "write it as in --collector http://127.0.0.1:4319",
  );
}

function openFolder(path: string): Folder {
  try {
    return new Folder(path);
  } catch {
    throw new UserError(`--root ${path} is not a readable folder`);
  }
}
