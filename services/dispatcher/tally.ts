/** Counts by name; a name that counts nothing takes no room. */
export type Tally = {
  add(name: string, change: number): void
  of(name: string): number
  total(): number
}

export const makeTally = (): Tally => {
  const counts = new Map<string, number>()
  let total = 0
  return {
    add: (name, change) => {
      const count = (counts.get(name) ?? 0) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
      total += change
    },
    of: (name) => counts.get(name) ?? 0,
    total: () => total,
  }
}
