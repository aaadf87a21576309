/** Adds up how far a listener is behind, over the partitions it has. @param onLag is told the sum, in records */
export const lagOf = (onLag: (records: number) => void) => {
  let behind = new Map<number, number>()
  const tell = (): void => onLag(behind.values().reduce((sum, records) => sum + records, 0))
  return {
    behind: (partition: number, records: number): void => {
      behind.set(partition, records)
      tell()
    },
    /** Forgets what went to others. */
    assigned: (partitions: readonly number[]): void => {
      behind = new Map(partitions.map((partition) => [partition, behind.get(partition) ?? 0]))
      tell()
    },
  }
}
