import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { fileReader } from "../../../src/config/find/file-reader.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { AgentRun } from "../../../src/model/run.ts";
import { openCallReceiver } from "../../../src/replay/agent/call-receiver.ts";
import { writeRecording } from "../../../src/replay/agent/models/write-recording.ts";
import { CallReader } from "../../../src/model-server/record/call-reader.ts";
import { AgentRecording } from "../../../src/replay/agent/recording/agent-recording.ts";
import {
  keepModelCalls,
  placeModelCalls,
  RecordedDump,
} from "../../../src/replay/agent/recording/kept-telemetry.ts";
import { recordingRedactor } from "../../../src/replay/agent/recording/open-recording.ts";
import { replay } from "../../../src/replay/replay.ts";
import { inContext, secretSample } from "../../redact/secret-sample.ts";
import { answerOf, ScriptedResponder, serverOf } from "../scripted.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const COUNT = 1_000;
const A_REQUEST = 100;

test.each([
  ["written when the agent ends", false],
  ["written while the agent runs", true],
])(
  "of a thousand secrets in requests and headers, a dump %s and cassettes contain no key that authenticates, and at most ten others",
  async (_, isLive) => {
    const sample = secretSample();
    const planted = Array.from({ length: COUNT }, (_, at) => {
      const vector = sample[at % sample.length];
      if (vector === undefined) throw new Error("no sample");
      return inContext(vector, at);
    });
    const responder = new ScriptedResponder(
      Array.from({ length: COUNT / A_REQUEST }, () => answerOf({ text: "Done.", finish: "stop" })),
    );
    const provider = await serverOf(responder);
    const loaded = loadConfig({ files: [], set: [], env: {}, reader: fileReader });
    if (!loaded.ok) throw new Error("no configuration");
    const { config } = loaded;
    const env = {
      OPENAI_BASE_URL: `${provider.baseUrl()}/v1`,
      OPENAI_API_KEY: "plainlookingkey",
      PWD: "/srv/agents/shop",
    };
    const folder = temporaryFolder();
    const file = join(folder, "dump.jsonl");
    const dump = { path: file, reader: new CallReader(recordingRedactor(config)) };
    const recording = await AgentRecording.open(isLive ? { env, dump } : { env });
    const receiver = await openCallReceiver(folder);
    const { callId, variables } = recording.forProcess({});
    const keys: string[] = [];
    for (let at = 0; at < COUNT; at += A_REQUEST) {
      // No form that any rule knows: only their use shows that they are keys.
      const used = ["bearer", "api", "cookie", "query"].map((kind) => `${kind}${at}qwertzuiop`);
      keys.push(...used);
      const [bearer, api, cookie, query] = used;
      const response = await fetch(`${variables["OPENAI_BASE_URL"]}/chat/completions?key=${query}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${bearer}`,
          "x-api-key": String(api),
          cookie: `session=${cookie}; theme=dark`,
          "x-note": planted[at]?.text.replaceAll(/[^\x20-\x7e]/g, " ") ?? "",
        },
        body: JSON.stringify({
          model: "m",
          messages: [
            {
              role: "system",
              content: `The keys are ${used.join(" ")} and plainlookingkey, in /srv/agents/shop.`,
            },
            ...planted.slice(at, at + A_REQUEST).map(({ text }) => ({ role: "user", content: text })),
          ],
        }),
      });
      expect(response.status).toBe(200);
      await response.text();
    }
    await recording.settled(callId);
    const { calls, secrets } = recording;
    const telemetry = { calls, callId, receiver, config, secrets };
    if (isLive) await placeModelCalls(telemetry);
    else {
      await keepModelCalls(telemetry);
      await new RecordedDump(file, dump.reader).add(receiver.kept, config, secrets);
    }
    await recording.close(0);
    await receiver.close(0);

    const cassettes: string[] = [];
    const onRun = (run: AgentRun): void => {
      const cassette = join(folder, `${cassettes.length}.cassette.yaml`);
      expect(writeRecording(cassette, run, "secrets", config)).toBeNull();
      cassettes.push(readFileSync(cassette, "utf8"));
    };
    await replay(isLive ? [file] : receiver.kept, { config, stdin: Readable.from([]), onRun });

    // As a text of a message stands in an attribute of a span, and in YAML.
    const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
    for (const text of [readFileSync(file, "utf8"), cassettes.join("\n")]) {
      expect(text).toContain("The keys are");
      expect(text).toContain("in /srv/agents/shop.");
      expect([...keys, "plainlookingkey"].filter((key) => text.includes(key))).toEqual([]);
      const forms = (secret: string): string[] => [secret, quoted(secret), quoted(quoted(secret))];
      const found = planted.filter(({ secret }) => forms(secret).some((form) => text.includes(form)));
      expect(found.length).toBeLessThanOrEqual(COUNT / 100);
    }
  },
);
