/** Numbers in [0, 1) that repeat for a seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `POSTRIDER_FAULTS_SEED`, or a new one; printed, so that a run can be had again. */
export const announcedSeed = (): number => {
  const seed = Number(process.env['POSTRIDER_FAULTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`    seed ${seed} (POSTRIDER_FAULTS_SEED)\n`)
  return seed
}

/** `POSTRIDER_FAULTS=long`: the numbers of the full form instead of the short one. */
export const numbers = (short: number, long: number): number =>
  process.env['POSTRIDER_FAULTS'] === 'long' ? long : short
