/** Most time of a slice in milliseconds. A step between two pauses may exceed it. */
const defaultSliceMs = 1

/** Runs long work in slices, so that it does not block the process. */
export type Slices = {
  /**
   * Runs the steps of one job until they return. The result may come turns later.
   * @param isLong false: runs all of them at once
   */
  run<Result>(steps: Generator<undefined, Result, undefined>, isLong?: boolean): Promise<Result>
  /** Runs a job whose length is not known: at once until its first pause, from there on in slices. */
  begin<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result>
}

type MakeSlicesOptions = { sliceMs?: number; now?: () => number }

/**
 * Returns a runner for long work. In each turn of the event loop one slice of one job runs; the jobs take turns. So many
 * jobs delay other requests no longer than one does. A process makes one runner and shares it: with several, a slice of each
 * runs in a turn.
 */
export const makeSlices = ({
  sliceMs = defaultSliceMs,
  now = () => performance.now(),
}: MakeSlicesOptions = {}): Slices => {
  const waiting: (() => void)[] = []
  const next = (): void => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  const turn = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
    return promise
  }
  const run: Slices['run'] = async (steps, isLong = true) => {
    for (;;) {
      if (isLong) await turn()
      const endsAt = isLong ? now() + sliceMs : Number.POSITIVE_INFINITY
      do {
        const step = steps.next()
        if (step.done) return step.value
      } while (!isLong || now() < endsAt)
    }
  }
  return {
    run,
    begin: async (steps) => {
      const first = steps.next()
      return first.done ? first.value : run(steps)
    },
  }
}
