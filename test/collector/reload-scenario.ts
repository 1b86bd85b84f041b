import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentTrace, requestAsJson } from "../chaos/agent-trace.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { simulatedDelay, until } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";

/** What is changed in a round, and how the process is told. */
const changes = ["spec", "include", "rubric", "config", "certificate", "tokens"] as const;
const triggers = ["api", "signal", "watch"] as const;

export interface ReloadFigures {
  readonly changes: number;
  readonly broken: number;
  readonly requests: number;
  /** Requests that were not taken. */
  readonly failed: readonly string[];
  readonly verdicts: number;
  /** Verdicts made of parts of two specs, or of two versions of a rubric. */
  readonly mixed: readonly string[];
  readonly specs: number;
  readonly rubrics: number;
  /** Rounds that were not as they should: a broken change taken, or a good one refused. */
  readonly wrong: readonly string[];
}

interface Line {
  readonly trace_id: string;
  readonly layers: {
    readonly correctness: {
      readonly checks: readonly {
        readonly check: string;
        readonly limit: unknown;
        readonly judge: { readonly rationale: string } | null;
      }[];
    };
  };
  readonly provenance: { readonly spec_hash: string };
}

/**
 * Changes specs, files they include, rubrics, configuration, certificates and tokens of a running process, some of them broken, under
 * load; tells it over the API, by a signal, or not at all.
 */
export async function reloadUnderLoad(rounds: number): Promise<ReloadFigures> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-reloads-"));
  const judge = await judgeServer();
  const [http, admin] = [await freePort(), await freePort()];
  const files = new Files(folder, { http, admin, judge: judge.port });
  const serving = await ServeProcess.start({ config: files.config });
  const sender = new Sender(http);
  const wrong: string[] = [];
  let broken = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const what = changes[round % changes.length] ?? "spec";
      const how = triggers[Math.floor(round / changes.length) % triggers.length] ?? "api";
      const breaks = round % 4 === 3 && what !== "tokens";
      if (breaks) broken++;
      await sender.send();
      const since = (await statusOf(admin))?.at_unix_ms ?? 0;
      const sending = sender.sendFor(() => files.isChanging);
      files.change(what, round, breaks);
      const went = await reload(how, admin, serving.pid, since, !breaks);
      files.isChanging = false;
      await sending;
      if (went !== !breaks)
        wrong.push(`round ${round}: ${what} ${breaks ? "broken, " : ""}by ${how}: ${went}`);
      // The watcher sees the same change a little later: it must find the same.
      if (breaks) {
        files.mend(what, round);
        await reload("api", admin, serving.pid, 0, true);
      }
      if (what === "tokens") await sender.take(files.token);
    }
    await until(
      () => verdictLines(files.verdicts).length === sender.sent,
      () => `verdicts of ${sender.sent} runs`,
    );
  } finally {
    await serving.end("SIGTERM");
    sender.close();
    judge.close();
  }
  const lines = verdictLines(files.verdicts);
  const figures = mixes(lines.map((line) => JSON.parse(line) as Line));
  rmSync(folder, { recursive: true });
  return {
    changes: rounds,
    broken,
    requests: sender.sent,
    failed: sender.failed,
    verdicts: lines.length,
    wrong,
    ...figures,
  };
}

function verdictLines(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

/** Of each verdict: the round that its spec, its included file and both its rubrics are of. */
function mixes(lines: readonly Line[]): Pick<ReloadFigures, "mixed" | "specs" | "rubrics"> {
  const ofHash = new Map<string, string>();
  const rubrics = new Set<string>();
  const mixed: string[] = [];
  for (const { trace_id: id, layers, provenance } of lines) {
    const { checks } = layers.correctness;
    const limits = checks.filter(({ judge }) => judge === null).map(({ limit }) => JSON.stringify(limit));
    const asked = checks.flatMap(({ judge }) => (judge === null ? [] : [judge.rationale]));
    const known = ofHash.get(provenance.spec_hash) ?? limits.join();
    ofHash.set(provenance.spec_hash, known);
    if (known !== limits.join())
      mixed.push(`${id}: ${provenance.spec_hash} is ${known} and ${limits.join()}`);
    if (new Set(asked).size !== 1 || asked.length !== 2) mixed.push(`${id}: rubrics ${asked.join()}`);
    for (const one of asked) rubrics.add(one);
  }
  return { mixed, specs: ofHash.size, rubrics: rubrics.size };
}

/** Whether what is on the disk now counts. A file that is read while it is being written is read once more: `wanted` is waited for. */
async function reload(
  how: (typeof triggers)[number],
  admin: number,
  pid: number,
  since: number,
  wanted: boolean,
): Promise<boolean> {
  if (how === "api") {
    const headers = { "content-type": "application/json", authorization: "Bearer operator" };
    const url = `http://127.0.0.1:${admin}/api/v1/reload`;
    return (await fetch(url, { method: "POST", headers, body: "{}" })).ok;
  }
  if (how === "signal") process.kill(pid, "SIGHUP");
  let last: boolean | undefined;
  await until(
    async () => {
      const status = await statusOf(admin);
      if (status !== null && status.at_unix_ms > since) last = status.ok;
      return last === wanted;
    },
    () =>
      last === undefined
        ? `${how}: nothing was read again`
        : `${how}: what was read is ${last ? "good" : "bad"}`,
  );
  return wanted;
}

async function statusOf(admin: number): Promise<{ ok: boolean; at_unix_ms: number } | null> {
  const headers = { authorization: "Bearer operator" };
  const answer = await fetch(`http://127.0.0.1:${admin}/api/status`, { headers });
  return ((await answer.json()) as { reload: { ok: boolean; at_unix_ms: number } | null }).reload;
}

type Written = "spec" | "include" | "rubric" | "config";

/** All that the process reads. */
class Files {
  readonly config: string;
  readonly verdicts: string;
  readonly #folder: string;
  readonly #ports: { readonly http: number; readonly admin: number; readonly judge: number };
  token = "first-token";
  isChanging = false;
  #rounds: Readonly<Record<Written, number>> = { spec: 0, include: 0, rubric: 0, config: 0 };

  constructor(folder: string, ports: { http: number; admin: number; judge: number }) {
    this.#folder = folder;
    this.#ports = ports;
    for (const name of ["specs", "specs/shared", "rubrics"]) mkdirSync(join(folder, name));
    this.config = join(folder, "c.yaml");
    this.verdicts = join(folder, "verdicts.jsonl");
    this.#write("tokens", "first-token\n");
    this.#certify("server");
    for (const what of ["spec", "include", "rubric", "config"] as const) this.mend(what, 0);
  }

  change(what: (typeof changes)[number], round: number, breaks: boolean): void {
    this.isChanging = true;
    if (what === "tokens") {
      this.#write("tokens", `${this.token}\ntoken-${round}\n`);
      this.token = `token-${round}`;
    } else if (what === "certificate") {
      if (breaks) this.#write("tls.pem", "this is no certificate\n");
      else this.#certify(round % 2 === 0 ? "server" : "renewed");
    } else if (breaks) this.#write(...this.#broken(what));
    else this.mend(what, round);
  }

  /** Writes something good. */
  mend(what: (typeof changes)[number], round: number): void {
    if (what === "certificate") return this.#certify("server");
    if (what === "tokens") return;
    this.#rounds = { ...this.#rounds, [what]: round };
    this.#write(...this.#good(what));
  }

  #good(what: Written): [string, string] {
    const round = this.#rounds[what];
    if (what === "spec")
      return [
        "specs/s.yaml",
        `version: 1
agent: chaos
judge_config: { model: house/m }
queries:
  - query: "*"
    correctness:
      not_in_answer: ["spec-${round}"]
      any_expected_in_answer: !include shared/answers.yaml
      llm_judge:
        - { rubric: steady@1, threshold: 0.5 }
        - { rubric: steady@1, threshold: 0.6 }
`,
      ];
    if (what === "include") return ["specs/shared/answers.yaml", `["answer", "include-${round}"]\n`];
    if (what === "rubric")
      return [
        "rubrics/steady.v1.yaml",
        `name: steady\nversion: 1\ndescription: steady\nrule: The answer is steady, generation-${round}.\nthreshold: 0.5\n`,
      ];
    const { http, admin, judge } = this.#ports;
    return [
      "c.yaml",
      `data_dir: ${this.#folder}/data
receive: { http: "127.0.0.1:${http}", grpc: off }
admin: 127.0.0.1:${admin}
specs: ["${this.#folder}/specs/*.yaml"]
assemble: { root_quiet: 0s, root_open: 0s }
journal: { durability: memory }
store: { mode: memory }
export: { file: "${this.verdicts}" }
security:
  receive_tls: { cert_file: "${this.#folder}/tls.pem", key_file: "${this.#folder}/tls.key" }
  tokens:
    - { file: "${this.#folder}/tokens", scopes: [ingest] }
    - { token: operator, scopes: [admin] }
judge:
  mode: required
  timeout: ${30 + (round % 10)}s
  providers: { house: { kind: openai, base_url: "http://127.0.0.1:${judge}/v1" } }
  rubrics: ["${this.#folder}/rubrics"]
`,
    ];
  }

  #broken(what: Written): [string, string] {
    const [name, text] = this.#good(what);
    return [name, what === "rubric" ? "name: [\n" : what === "include" ? "[\n" : `${text}unknown_key: [\n`];
  }

  #certify(name: string): void {
    for (const kind of ["pem", "key"])
      copyFileSync(`test/fixtures/tls/${name}.${kind}`, join(this.#folder, `tls.${kind}`));
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }
}

/** Sends finished agents, each over a connection of its own. */
class Sender {
  token = "first-token";
  sent = 0;
  readonly failed: string[] = [];
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: false, ca: readFileSync("test/fixtures/tls/authority.pem") });

  constructor(port: number) {
    this.#port = port;
  }

  async sendFor(goesOn: () => boolean): Promise<void> {
    do await this.send();
    while (goesOn());
  }

  send(): Promise<void> {
    const body = requestAsJson([agentTrace(9, ++this.sent, 0).root]);
    const headers = { "content-type": "application/json", authorization: `Bearer ${this.token}` };
    const where = { hostname: "127.0.0.1", port: this.#port, path: "/v1/traces", method: "POST" };
    return new Promise((resolve) => {
      const ended = (problem?: string): void => {
        if (problem !== undefined) this.failed.push(problem);
        resolve();
      };
      const sent = request({ ...where, headers, agent: this.#agent }, (answer) => {
        answer.resume();
        answer.on("end", () => ended(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`));
      });
      sent.on("error", (error) => ended(error.message));
      sent.end(body);
    });
  }

  /** Uses another token from now on, as soon as it is known: what was read a moment ago may be what was there before. */
  async take(token: string): Promise<void> {
    const { length } = this.failed;
    const before = this.token;
    await until(async () => {
      this.token = token;
      await this.send();
      if (this.failed.length === length) return true;
      this.failed.length = length;
      this.token = before;
      this.sent--;
      return false;
    }, `${token} is known`);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A model that says which version of the rubric it was shown, after a moment. */
async function judgeServer(): Promise<{ port: number; close: () => void }> {
  const server = createServer((asked, response) => {
    let text = "";
    asked.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    asked.on("end", () => {
      const generation = /generation-\d+/.exec(text)?.[0] ?? "none";
      const content = JSON.stringify({
        reasoning: generation,
        rationale: generation,
        score: 5,
        label: "pass",
      });
      const message = { role: "assistant", content, refusal: null };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      const answer = async (): Promise<void> => {
        await simulatedDelay(30);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ id: "1", object: "chat.completion", model: "m", choices }));
      };
      void answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
