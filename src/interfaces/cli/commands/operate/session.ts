import { byStart } from "../../../../model/by-start.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JudgeMode } from "../../../../judge/settings.ts";
import { documentBounds, parseJsonText } from "../../../../model/json.ts";
import { openCallReceiver } from "../../../../replay/agent/call-receiver.ts";
import { version } from "../../../../support/process/version.ts";
import { runsIn } from "../../../../replay/replay.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { CallSequence } from "../../../library/session/call-sequence.ts";
import { QueryJudge } from "../../../library/session/judge-query.ts";
import { openTestModels } from "../../../library/session/open-test-models.ts";
import { requestSchema, type SessionRequest } from "../../../library/session/requests.ts";
import { type ReadRuns, Session } from "../../../library/session/session.ts";
import { type ConfigFlags, loadSettings } from "../../../../config/command-settings.ts";

export interface SessionOptions extends ConfigFlags {
  readonly judge?: JudgeMode;
  /** Folder in which received telemetry is stored. If absent, a temporary folder is used. */
  readonly keep?: string;
  /** Recordings that answer the agents' model calls. If empty, the agents call their providers directly. */
  readonly models: readonly string[];
  /** Fault to inject at the N-th model call of each agent call, as `KIND@N`. */
  readonly fault?: string;
}

/** Version of the requests and answers. It increases with each incompatible change. */
const PROTOCOL = 1;
/** Milliseconds for which pending responses may still be finished after the input has ended. */
const CLOSE_MS = 1_000;

/**
 * Receives telemetry on a free port, and answers requests until the input ends. Each request is a line of
 * JSON. The first line of the output contains the address for telemetry.
 */
export async function session(options: SessionOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), "tracejury-"));
  const receiver = await openCallReceiver(folder);
  const { models: names, fault } = options;
  const models = await openTestModels({ names, fault, receiver, config, io }).catch(
    async (error: unknown) => {
      await receiver.close(0);
      throw error;
    },
  );
  try {
    const judge = new QueryJudge(options, io);
    const readRuns: ReadRuns = async (files, needed = new Set()) => {
      const attributes = [...config.attributes, ...needed];
      const { runs } = await runsIn(files, {
        config: { ...config, attributes },
        stdin: io.stdin,
        env: io.env,
      });
      return runs.sort(byStart);
    };
    const calls = new CallSequence({ receiver, env: io.env, readRuns });
    const open = new Session({ calls, judge, models, readRuns, keepsFiles: options.keep !== undefined });
    const { endpoint } = receiver;
    const environment = models?.variables ?? {};
    const ready = { protocol: PROTOCOL, version, endpoint, environment };
    await write(io.stdout, `${JSON.stringify({ ready })}\n`);
    for await (const line of createInterface({ input: io.stdin })) {
      if (line.trim() !== "") await write(io.stdout, `${JSON.stringify(await answer(line, open))}\n`);
    }
    return ExitCode.passed;
  } finally {
    await receiver.close(CLOSE_MS);
    await models?.close();
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function answer(line: string, open: Session): Promise<object> {
  const read = readRequest(line);
  if (!read.ok) return { id: null, error: { message: read.reason, fix: null } };
  const { id } = read.request;
  try {
    return { id, result: await open.answer(read.request) };
  } catch (error) {
    if (error instanceof UserError) return { id, error: { message: error.message, fix: error.hint ?? null } };
    throw error;
  }
}

type Read =
  { readonly ok: true; readonly request: SessionRequest } | { readonly ok: false; readonly reason: string };

function readRequest(line: string): Read {
  const value = parseJsonText(line, documentBounds);
  if (value.problem === "syntax") return { ok: false, reason: "a request is not JSON" };
  if (value.problem !== undefined) return { ok: false, reason: "a request is nested too deeply" };
  const parsed = requestSchema.safeParse(value.value);
  if (parsed.success) return { ok: true, request: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    reason: `the request is not valid: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  };
}
