import type { Kafka } from 'kafkajs'

/**
 * Returns how many members each consumer group has now. A process that was killed is counted until its session ends.
 * @throws the error of kafkajs when Kafka does not answer or refuses, which may take half a minute
 */
export const groupSizes = async (client: Kafka, groups: readonly string[]): Promise<Map<string, number>> => {
  const admin = client.admin()
  try {
    await admin.connect()
    const described = await admin.describeGroups([...groups])
    return new Map(described.groups.map(({ groupId, members }) => [groupId, members.length]))
  } finally {
    await admin.disconnect()
  }
}
