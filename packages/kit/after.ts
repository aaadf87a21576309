/** Calls `fire` after `ms` milliseconds, unless it is disposed before. */
export type After = (ms: number, fire: () => void) => Disposable

/** The timer keeps the process alive. */
export const afterInForeground: After = (ms, fire) => setTimeout(fire, ms)

/** The timer does not keep the process alive. */
export const afterInBackground: After = (ms, fire) => setTimeout(fire, ms).unref()

/** Arrived data is read first, so a stall of this process does not count against its peer. */
export const afterReads: After = (ms, fire) => {
  const timer = setTimeout(() => setImmediate(fire), ms)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
