import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { parse } from "yaml";
import type { Message, RequestedCall } from "../../model/message.ts";
import type { ModelAnswer, RecordedExchange } from "../../model/model-exchange.ts";
import { type RecordedRun } from "../replay/recorded-run.ts";
import {
  CASSETTE_ENDING,
  type CassetteAnswer,
  type CassetteCall,
  type CassetteDocument,
  type CassetteMessage,
  cassetteSchema,
} from "./cassette.ts";

export interface Cassette extends Pick<CassetteDocument, "agent" | "service" | "tokens" | "redacted"> {
  readonly run: RecordedRun;
  readonly costUsd: number | null;
}

/**
 * Divides arguments into cassettes and others. Arguments are files, folders or patterns. A folder or pattern that contains cassettes is
 * replaced by its cassettes and its telemetry files; any other argument that is not a cassette stays in `others` unchanged.
 */
export async function findCassettes(
  names: readonly string[],
): Promise<{ readonly cassettes: readonly string[]; readonly others: readonly string[] }> {
  const cassettes = new Set<string>();
  const others: string[] = [];
  for (const name of names) {
    const isFolder = statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder && !isDynamicPattern(name)) {
      if (name.endsWith(CASSETTE_ENDING)) cassettes.add(name);
      else others.push(name);
      continue;
    }
    const found = isFolder
      ? (await glob("**/*", { cwd: name })).map((one) => join(name, one))
      : await glob(name, { expandDirectories: false });
    const own = found.filter((one) => one.endsWith(CASSETTE_ENDING)).sort();
    for (const one of own) cassettes.add(one);
    if (own.length === 0) others.push(name);
    else others.push(...found.filter((one) => /\.(?:jsonl?|ndjson|pb|gz|zst)$/.test(one)).sort());
  }
  return { cassettes: [...cassettes], others };
}

/** @throws Error if the file is not a cassette */
export function readCassette(file: string): Cassette {
  return parseCassette(readFileSync(file, "utf8"));
}

/** @throws Error if the text is not a cassette */
export function parseCassette(text: string): Cassette {
  return cassetteOf(parse(text, { maxAliasCount: 0 }));
}

/** @throws Error if the value is not a cassette */
function cassetteOf(value: unknown): Cassette {
  const read = cassetteSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`not a valid cassette: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  const document = read.data;
  const histories: (readonly Message[])[] = [];
  const exchanges = document.calls.map((call) => exchangeOf(call, document, histories));
  const { agent, service, tokens, redacted, cost_usd: costUsd } = document;
  return {
    run: { id: document.run, query: document.query, exchanges },
    agent,
    service,
    tokens,
    redacted,
    costUsd,
  };
}

function exchangeOf(
  { agent, model, prompt, tools, more_tools, parameters = {}, after, messages, answer, error }: CassetteCall,
  document: CassetteDocument,
  histories: (readonly Message[])[],
): RecordedExchange {
  const before = after === undefined ? [] : (histories[after - 1] ?? []);
  const history = [...before, ...(messages ?? []).map(messageOf)];
  histories.push(history);
  const toolset = tools === undefined ? undefined : document.toolsets[tools - 1];
  return {
    traceId: document.run.slice(0, 32),
    spanId: null,
    agent: agent ?? document.agent,
    request: {
      model,
      system: prompt === undefined ? null : (document.prompts[prompt - 1] ?? null),
      messages: messages === null ? null : history,
      tools:
        toolset?.map((tool) => ({
          name: tool.name,
          description: tool.description ?? null,
          parameters: tool.parameters,
        })) ?? null,
      ...(more_tools === true ? { hasMoreTools: true } : {}),
      parameters,
    },
    answer: answer === undefined ? null : answerOf(answer),
    error: error ?? null,
    gaps: [],
  };
}

function messageOf({ role, name, text, calls = [], results = [] }: CassetteMessage): Message {
  return {
    role,
    name: name ?? null,
    text: text ?? null,
    calls: calls.map(requestedOf),
    results: results.map((result) => ({
      callId: result.call ?? null,
      name: result.name ?? null,
      content: result.content,
      isError: result.is_error === true,
    })),
  };
}

function requestedOf({
  id,
  name,
  arguments: given,
}: NonNullable<CassetteMessage["calls"]>[number]): RequestedCall {
  return { id: id ?? null, name: name === "" ? null : name, arguments: given };
}

function answerOf({
  model,
  text,
  reasoning,
  refusal,
  calls = [],
  finish,
  usage,
  service_tier: serviceTier,
}: CassetteAnswer): ModelAnswer {
  return {
    id: null,
    model,
    text: text ?? null,
    reasoning: reasoning ?? null,
    refusal: refusal ?? null,
    calls: calls.map(requestedOf),
    finish,
    usage: {
      input: usage.input,
      output: usage.output,
      cached: usage.cached ?? null,
      cacheWrite: usage.cache_write ?? null,
      ...(usage.cache_write_1h === undefined ? {} : { longCacheWrite: usage.cache_write_1h }),
      reasoning: usage.reasoning ?? null,
    },
    ...(serviceTier === undefined ? {} : { serviceTier }),
  };
}
