/** Returns a generator of numbers in [0, 1) that repeats for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns `POSTRIDER_FAULTS_SEED` or a random seed, and prints it so that a run can be repeated. */
export const printedSeed = (): number => {
  const seed = Number(process.env['POSTRIDER_FAULTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`    seed ${seed} (POSTRIDER_FAULTS_SEED)\n`)
  return seed
}

/** Returns the number for the long form of the tests (`POSTRIDER_FAULTS=long`) or for the short form. */
export const shortOrLong = (short: number, long: number): number =>
  process.env['POSTRIDER_FAULTS'] === 'long' ? long : short
