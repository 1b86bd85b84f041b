import type { AssignerProtocol, PartitionAssigner } from "kafkajs";
import type { TopicPartition } from "./port.ts";
import { shareOut } from "./share-out.ts";

export type Protocol = typeof AssignerProtocol;

/** `shareOut` as a strategy of the group: members tell in their metadata what they own, and one of them hands out the partitions. */
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
