import { stringify } from "yaml";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { Message, RequestedCall } from "../../model/message.ts";
import type { ModelAnswer, RecordedExchange, ToolDefinition } from "../../model/model-exchange.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import type { Redactor } from "../../support/redact/redactor.ts";
import type { CassetteAnswer, CassetteCall, CassetteDocument, CassetteMessage } from "./cassette.ts";

/** A run to be written as a cassette. */
export interface PackedRun {
  readonly id: string;
  readonly query: string;
  readonly agent: string | null;
  readonly service: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly exchanges: readonly RecordedExchange[];
}

const HEAD =
  "# Recorded answers of models: made by `tracejury models pack`, played back by `tracejury test --models replay:FILE`.\n";

/** Returns the text of the cassette, with one value in each line. The same run always gives the same text. */
export function cassetteText(
  run: PackedRun,
  redacted: CassetteDocument["redacted"],
  redactor: Redactor | null,
): string {
  const document = new Packing(run).document(redacted);
  // Copies the objects through JSON: if the run contains the same object twice, YAML would write the second as an alias.
  const plain = JSON.parse(JSON.stringify(document)) as JsonObject;
  const clean = redactor === null ? plain : redactDocument(plain, redactor);
  return `${HEAD}${stringify(clean, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** Redacts all values except the run's id, tokens and cost. */
function redactDocument(document: JsonObject, redactor: Redactor): JsonObject {
  const { run, tokens, cost_usd: cost, ...rest } = document;
  const clean = redactor.json(rest) as JsonObject;
  return Object.fromEntries(
    Object.keys(document).map((key): [string, JsonValue] => [
      key,
      key === "run"
        ? (run ?? null)
        : key === "tokens"
          ? (tokens ?? null)
          : key === "cost_usd"
            ? (cost ?? null)
            : (clean[key] ?? null),
    ]),
  );
}

class Packing {
  readonly #run: PackedRun;
  readonly #prompts: string[] = [];
  readonly #toolsets: { readonly key: string; readonly tools: CassetteDocument["toolsets"][number] }[] = [];
  readonly #histories: string[][] = [];
  /** Ids that are written to the file, by the provider's ids. */
  readonly #ids = new Map<string, string>();

  constructor(run: PackedRun) {
    this.#run = run;
  }

  document(redacted: CassetteDocument["redacted"]): CassetteDocument {
    const { id, query, agent, service, tokens, costUsd, exchanges } = this.#run;
    const calls = exchanges.map((exchange) => this.#call(exchange));
    return {
      cassette: 1,
      query,
      agent,
      service,
      run: id,
      redacted,
      tokens,
      cost_usd: costUsd,
      prompts: this.#prompts,
      toolsets: this.#toolsets.map(({ tools }) => tools),
      calls,
    };
  }

  #call({ agent, request, answer, error }: RecordedExchange): CassetteCall {
    const { model, system, tools, hasMoreTools, parameters, messages } = request;
    const written = messages?.map((message) => this.#message(message)) ?? null;
    const before = written === null ? 0 : this.#longestBefore(written);
    const shared = before === 0 ? 0 : (this.#histories[before - 1]?.length ?? 0);
    this.#histories.push(written?.map((message) => JSON.stringify(message)) ?? []);
    return {
      ...(agent === null || agent === this.#run.agent ? {} : { agent }),
      model,
      ...(system === null ? {} : { prompt: numberOf(system, this.#prompts) }),
      ...(tools === null ? {} : { tools: this.#toolset(tools) }),
      ...(hasMoreTools === true ? { more_tools: true } : {}),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      ...(before === 0 ? {} : { after: before }),
      messages: written?.slice(shared) ?? null,
      ...(answer === null ? {} : { answer: this.#answer(answer) }),
      ...(error === null ? {} : { error }),
    };
  }

  /** Returns the number of the earlier call whose history is the longest beginning of these messages; 0 if there is no such call. */
  #longestBefore(messages: readonly CassetteMessage[]): number {
    const texts = messages.map((message) => JSON.stringify(message));
    let best = 0;
    let longest = 0;
    for (const [at, history] of this.#histories.entries()) {
      const fits = history.length <= texts.length && history.every((text, nth) => text === texts[nth]);
      if (fits && history.length > longest) {
        best = at + 1;
        longest = history.length;
      }
    }
    return best;
  }

  #toolset(tools: readonly ToolDefinition[]): number {
    const written = tools.map(({ name, description, parameters }) => ({
      name,
      ...(description === null ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
    }));
    const key = canonicalJson(JSON.parse(JSON.stringify(written)) as JsonValue);
    const at = this.#toolsets.findIndex((one) => one.key === key);
    return at >= 0 ? at + 1 : this.#toolsets.push({ key, tools: written });
  }

  #message({ role, name, text, calls, results }: Message): CassetteMessage {
    return {
      role: role === "system" ? "user" : role,
      ...(name === null ? {} : { name }),
      ...(text === null ? {} : { text }),
      ...(calls.length === 0 ? {} : { calls: this.#requested(calls) }),
      ...(results.length === 0
        ? {}
        : {
            results: results.map((result) => ({
              ...(result.callId === null ? {} : { call: this.#id(result.callId) }),
              ...(result.name === null ? {} : { name: result.name }),
              ...(result.content === undefined ? {} : { content: result.content }),
              ...(result.isError ? { is_error: true as const } : {}),
            })),
          }),
    };
  }

  #requested(calls: readonly RequestedCall[]): NonNullable<CassetteMessage["calls"]> {
    return calls.map((call) => ({
      ...(call.id === null ? {} : { id: this.#id(call.id) }),
      name: call.name ?? "",
      ...(call.arguments === undefined ? {} : { arguments: call.arguments }),
    }));
  }

  #answer(answer: ModelAnswer): CassetteAnswer {
    const { model, text, reasoning, refusal, calls, finish, usage, serviceTier } = answer;
    return {
      model,
      ...(text === null ? {} : { text }),
      ...(reasoning === null ? {} : { reasoning }),
      ...(refusal === null ? {} : { refusal }),
      ...(calls.length === 0 ? {} : { calls: this.#requested(calls) }),
      finish,
      usage: {
        input: usage.input,
        output: usage.output,
        ...(usage.cached === null ? {} : { cached: usage.cached }),
        ...(usage.cacheWrite === null ? {} : { cache_write: usage.cacheWrite }),
        ...(usage.longCacheWrite == null ? {} : { cache_write_1h: usage.longCacheWrite }),
        ...(usage.reasoning === null ? {} : { reasoning: usage.reasoning }),
      },
      ...(serviceTier === undefined ? {} : { service_tier: serviceTier }),
    };
  }

  /** Replaces a provider's id by a counted id. So if a run is recorded again, its file differs only where the run itself differs. */
  #id(id: string): string {
    const known = this.#ids.get(id) ?? `call-${this.#ids.size + 1}`;
    this.#ids.set(id, known);
    return known;
  }
}

function numberOf(text: string, texts: string[]): number {
  const at = texts.indexOf(text);
  return at >= 0 ? at + 1 : texts.push(text);
}
