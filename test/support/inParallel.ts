/** Calls `one` for each number from `from` to `to - 1`, by several clients in parallel. */
export const inParallel = async (
  clients: number,
  { from, to }: { from: number; to: number },
  one: (number: number) => Promise<void>,
): Promise<void> => {
  let next = from
  const client = async () => {
    while (next < to) await one(next++)
  }
  await Promise.all(Array.from({ length: clients }, client))
}
