import { expect, onTestFinished, test, vi } from "vitest";
import type { Acceptance } from "../../src/receive/ports.ts";
import { KafkaReceiver, type RecordOutcome } from "../../src/receive/kafka/receiver.ts";
import { FakeBroker, FakeMember, kafkaDefaults } from "./support.ts";

const T = "otlp_spans";

test("while memory is short a partition rests, and goes on with the record that was refused", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const broker = new FakeBroker();
  const member = new FakeMember(broker);
  const full: Acceptance = { kind: "unavailable", retryAfterS: 1, message: "full" };
  const taken: string[] = [];
  const outcomes: RecordOutcome[] = [];
  let isFull = false;
  const receiver = new KafkaReceiver(member, kafkaDefaults, {
    accept: (body) => {
      if (!isFull) taken.push(Buffer.from(body).toString());
      return {
        acceptance: isFull ? full : { kind: "accepted", rejected: 0, message: "" },
        kept: () => false,
      };
    },
    events: {
      record: (_topic, outcome) => outcomes.push(outcome),
      lost: () => undefined,
      gained: () => undefined,
      alive: () => undefined,
      warn: () => undefined,
    },
  });
  await member.start(receiver);
  await member.join([T]);
  await receiver.open();
  for (const text of ["a", "b", "c"]) broker.append(T, { key: "k", value: Buffer.from(text), headers: {} });
  isFull = true;
  await member.read(T);
  expect([...member.paused]).toEqual([T]);
  await receiver.commit();
  expect(broker.committed.get(T)).toBe(0);

  isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(member.paused.size).toBe(0);
  await member.read(T);
  await receiver.commit();
  expect(taken).toEqual(["a", "b", "c"]);
  expect(outcomes).toEqual(["refused", "accepted", "accepted", "accepted"]);
  expect(broker.committed.get(T)).toBe(3);
});
