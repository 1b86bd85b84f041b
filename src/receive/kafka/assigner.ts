import type { AssignerProtocol, PartitionAssigner } from "kafkajs";
import type { TopicPartition } from "./port.ts";

export type Protocol = typeof AssignerProtocol;

/**
 * Kafka assignment strategy that uses `shareOut`. Each member reports its current partitions in its metadata, and the group leader assigns
 * the partitions.
 */
export function assigner(protocol: Protocol, owned: () => readonly TopicPartition[]): PartitionAssigner {
  const { MemberMetadata, MemberAssignment } = protocol;
  const name = "tracejury";
  return ({ cluster }) => ({
    name,
    version: 0,
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({
        version: 0,
        topics,
        userData: Buffer.from(JSON.stringify([...new Set(owned().map(({ partition }) => partition))])),
      }),
    }),
    async assign({ members, topics }) {
      const counts = new Map(
        topics.map((topic) => [topic, cluster.findTopicPartitionMetadata(topic).length]),
      );
      const claims = new Map(
        members.map(({ memberId, memberMetadata }) => [memberId, ownedBy(protocol, memberMetadata)] as const),
      );
      const shares = shareOut(Math.max(0, ...counts.values()), claims);
      return [...shares].map(([memberId, numbers]) => {
        const assignment = Object.fromEntries(
          topics.map((topic) => [topic, numbers.filter((number) => number < (counts.get(topic) ?? 0))]),
        );
        return {
          memberId,
          memberAssignment: MemberAssignment.encode({ version: 0, assignment, userData: Buffer.alloc(0) }),
        };
      });
    },
  });
}

function ownedBy({ MemberMetadata }: Protocol, metadata: Buffer): readonly number[] {
  try {
    const { userData } = MemberMetadata.decode(metadata) ?? {};
    const read: unknown = JSON.parse(String(userData ?? "[]"));
    return Array.isArray(read) ? read.map(Number) : [];
  } catch {
    return [];
  }
}

/**
 * Divides partitions evenly among the members of a group, and moves as few partitions as possible. In all topics, one member gets the
 * partitions with the same number, because a trace's spans and log records have the same key.
 * @param owned current partition numbers of each member; if two members claim a number, one of them keeps it
 */
export function shareOut(
  count: number,
  owned: ReadonlyMap<string, readonly number[]>,
): Map<string, readonly number[]> {
  const members = [...owned.keys()].sort();
  const least = Math.floor(count / members.length);
  let larger = count % members.length;
  const free = new Set(Array.from({ length: count }, (_, number) => number));
  const shares = new Map<string, number[]>();
  // If the partitions cannot be divided evenly, the members that own the most partitions get the additional ones.
  const byOwned = members.toSorted((a, b) => (owned.get(b)?.length ?? 0) - (owned.get(a)?.length ?? 0));
  for (const member of byOwned) {
    const share: number[] = [];
    const wanted = [...new Set(owned.get(member))].filter((number) => free.has(number));
    const most = least + (larger > 0 && wanted.length > least ? 1 : 0);
    if (most > least) larger--;
    for (const number of wanted.slice(0, most)) {
      share.push(number);
      free.delete(number);
    }
    shares.set(member, share);
  }
  for (const number of free) {
    const poorest = members.reduce((a, b) => (sizeOf(shares, b) < sizeOf(shares, a) ? b : a));
    shares.get(poorest)?.push(number);
  }
  return shares;
}

function sizeOf(shares: ReadonlyMap<string, readonly number[]>, member: string): number {
  return shares.get(member)?.length ?? 0;
}
