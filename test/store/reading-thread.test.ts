import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ReadingThread } from "../../src/store/sqlite/reading/reading-thread.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { agentTrace, requestAsJson } from "../chaos/agent-trace.ts";
import { serveConfig } from "../chaos/serve-config.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Many verdicts, none of which holds what is looked for. */
const many = `
  INSERT INTO verdicts (verdict_id, revision, latest, run_id, spec, query_id, outcome, judged_ms, trace_ids, duration_ms, text, json)
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
  SELECT 'v' || n, 1, 1, 'r' || n, 's', 'q', 'pass', n, '[]', 1, hex(zeroblob(300)), '{}' FROM numbers`;

test("a thread that is closed while it answers ends without the process, and its questions are rejected", async () => {
  const path = join(temporaryFolder(), "store.db");
  const { database } = openDatabase(path, Date.now());
  database.exec(many);
  onTestFinished(() => database.close());
  for (let attempt = 0; attempt < 3; attempt++) {
    const thread = new ReadingThread(path, () => expect.fail("no thread"));
    await thread.ask("size", []);
    const asked = Promise.allSettled([1, 2, 3].map(() => thread.ask("size", [])));
    await thread.close();
    for (const { status } of await asked) expect(status).toBe("rejected");
  }
});

test("telemetry is taken while the store is asked heavy questions: they are answered in a thread of their own", async () => {
  const folder = temporaryFolder();
  const { database } = openDatabase(join(folder, "store.db"), Date.now());
  database.exec(many);
  database.close();
  const { config, http, admin } = await serveConfig(folder, {
    data_dir: folder,
    specs: [],
    store: { mode: "sqlite" },
  });
  const serving = await ServeProcess.start({ config });
  onTestFinished(async () => void (await serving.end("SIGTERM")));
  const api = (path: string) => fetch(`http://127.0.0.1:${admin}${path}`);
  let answered = 0;
  const questions = Array.from({ length: 12 }, async (_, n) => {
    const answer = await api(`/api/v1/verdicts?text=nowhere-${n}`);
    answered++;
    return answer.status;
  });
  let sentMeanwhile = 0;
  for (let n = 0; answered < questions.length; n++) {
    const { root } = agentTrace(7, n, 0);
    const headers = { "content-type": "application/json" };
    const body = Buffer.from(requestAsJson([root]));
    const sent = await fetch(`http://127.0.0.1:${http}/v1/traces`, { method: "POST", headers, body });
    expect(sent.status).toBe(200);
    if (answered < questions.length - 1) sentMeanwhile++;
  }
  expect(await Promise.all(questions)).toEqual(questions.map(() => 200));
  expect(sentMeanwhile).toBeGreaterThan(0);
  const { store } = (await (await api("/api/status")).json()) as { store: { reading: string } };
  expect(store.reading).toBe("in a thread");
});
