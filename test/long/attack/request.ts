import { type Agent, request } from "node:http";

/** What came of one request: the status; `closed`, the connection was closed before an answer; `late`, no answer came within twenty seconds. */
export type Outcome = number | "closed" | "late";

export interface Asked {
  /** `host:port`. */
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  readonly agent?: Agent;
}

const LONGEST_MS = 20_000;

/** Sends one request with exactly these headers. */
export async function ask(asked: Asked): Promise<Outcome> {
  const { outcome, isReused } = await askOnce(asked);
  // A server may close an idle connection just when the next request is sent over it: every client sends that one again.
  return outcome === "closed" && isReused ? (await askOnce(asked)).outcome : outcome;
}

function askOnce({ address, method, path, headers, body, agent }: Asked) {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise<{ readonly outcome: Outcome; readonly isReused: boolean }>((resolve) => {
    const setHost = headers["host"] === undefined;
    const sent = request({ hostname, port, path, method, agent, headers, setHost }, (answer) => {
      answer.resume();
      answer.on("close", () => end(answer.statusCode ?? "closed"));
    });
    const end = (outcome: Outcome): void => resolve({ outcome, isReused: sent.reusedSocket });
    const timer = setTimeout(() => {
      end("late");
      sent.destroy();
    }, LONGEST_MS);
    sent.on("close", () => clearTimeout(timer));
    sent.on("error", () => end("closed"));
    sent.end(body);
  });
}
