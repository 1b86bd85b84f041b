import { type Agent, request } from "node:http";

/**
 * Outcome of a request: its status; `closed` if the connection was closed before an answer; `late` if there was no answer within 20
 * seconds.
 */
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
  // A server may close an idle connection at the moment when a request is sent over it. Clients send such a request again.
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
