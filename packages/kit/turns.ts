import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'

/** Spreads work over event loop iterations. In each, one turn of each owner that waits comes. */
export type Turns = {
  /** Resolves in a later event loop iteration. */
  wait(owner: string): Promise<void>
  /** Returns how many callers wait. */
  size(): number
  sizeOf(owner: string): number
}

const anyOwner = (): boolean => true

export const makeTurns = (): Turns => {
  const waiting = fairQueue<() => void>()
  const next = (): void => {
    for (let left = waiting.owners(); left > 0; left--) waiting.next(anyOwner)?.item()
    if (waiting.size() > 0) setImmediate(next)
  }
  return {
    wait: (owner) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (waiting.size() === 0) setImmediate(next)
      waiting.add(owner, resolve)
      return promise
    },
    size: waiting.size,
    sizeOf: waiting.sizeOf,
  }
}

/** Turns of slices (slices.ts). Both resolve at the turn of their owner. */
export type SliceTurns = {
  slice(owner: string): Promise<void>
  step(owner: string): Promise<void>
}

/** Decides what runs in an event loop iteration: a slice of one job or of steps, alternately while both wait. */
export const sliceTurns = (sliceMs: number, now: () => number): SliceTurns => {
  const [slices, steps] = [fairQueue<() => void>(), fairQueue<() => void>()]
  let isScheduled = false
  /** When the slice of steps ends, in which a step begins without waiting if no other waits; 0: another slice has begun. */
  let stepsEndAt = 0

  const schedule = (): void => {
    if (isScheduled || slices.size() + steps.size() === 0) return
    isScheduled = true
    setImmediate(nextIteration)
  }
  const nextStep = (): void => {
    steps.next(anyOwner)?.item()
    // After the microtasks and the events of the step, so that its work counts and its job may wait again.
    if (steps.size() > 0) queueMicrotask(() => process.nextTick(() => now() < stepsEndAt && nextStep()))
  }
  const nextIteration = (): void => {
    isScheduled = false
    const areSteps = steps.size() > 0 && (slices.size() === 0 || stepsEndAt === 0)
    stepsEndAt = areSteps ? now() + sliceMs : 0
    if (areSteps) nextStep()
    else slices.next(anyOwner)?.item()
    schedule()
  }
  const waitIn = (queue: typeof slices, owner: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue.add(owner, resolve)
    schedule()
    return promise
  }
  return {
    slice: (owner: string) => waitIn(slices, owner),
    step: (owner: string) => (steps.size() === 0 && now() < stepsEndAt ? Promise.resolve() : waitIn(steps, owner)),
  }
}
