import { AsyncLocalStorage } from 'node:async_hooks'
import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { type WorkOrigin, workTurns } from '@postrider/domain/fairness/workTurns.ts'
import type { Monotonic } from './clock.ts'

/** Spreads work over event loop iterations. In each, one turn of each owner that waits comes. */
type Turns = {
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

/** Turns of slices and of short steps. Both resolve at the turn of their owner. */
type SliceTurns = {
  slice(origin: WorkOrigin): Promise<void>
  step(origin: WorkOrigin): Promise<void>
}

/** Decides what runs in an event loop iteration: a slice of one job or of steps, alternately while both wait. */
const sliceTurns = (sliceMs: number, elapsed: Monotonic): SliceTurns => {
  const [slices, steps] = [workTurns<() => void>(), workTurns<() => void>()]
  let isScheduled = false
  /**
   * When the slice of steps ends, in which a step begins without waiting if no other waits; 0: another slice has begun.
   */
  let stepsEndAt = 0

  const schedule = (): void => {
    if (isScheduled || slices.size() + steps.size() === 0) return
    isScheduled = true
    setImmediate(nextIteration)
  }
  const nextStep = (): void => {
    steps.next()?.()
    // After the microtasks and the events of the step, so that its work counts and its job may wait again.
    if (steps.size() > 0) queueMicrotask(() => process.nextTick(() => elapsed() < stepsEndAt && nextStep()))
  }
  const nextIteration = (): void => {
    isScheduled = false
    const areSteps = steps.size() > 0 && (slices.size() === 0 || stepsEndAt === 0)
    stepsEndAt = areSteps ? elapsed() + sliceMs : 0
    if (areSteps) nextStep()
    else slices.next()?.()
    schedule()
  }
  const waitIn = (queue: typeof slices, origin: WorkOrigin): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue.add(origin, resolve)
    schedule()
    return promise
  }
  return {
    slice: (origin) => waitIn(slices, origin),
    step: (origin) => (steps.size() === 0 && elapsed() < stepsEndAt ? Promise.resolve() : waitIn(steps, origin)),
  }
}

/** Turns of short work. */
type ShortTurns = {
  /** Returns null if short work may run in this event loop iteration, else a promise of its turn in a later one. */
  short(origin: () => WorkOrigin): Promise<void> | null
}

/**
 * Bounds the time of short work in an event loop iteration. It is measured from the first short work on, with all that
 * runs in between, because other requests wait for that too.
 */
const shortTurns = (maxMs: number, elapsed: Monotonic): ShortTurns => {
  const waiting = workTurns<() => void>()
  /** When the time of this iteration ends; null: no short work has begun, or none since `usedMs` was noted. */
  let endsAt: number | null = null
  /** Time that work which had waited has used in this iteration. The process may have been idle since. */
  let usedMs = 0
  let iterationEnd: NodeJS.Immediate | null = null

  // An immediate without a reference runs in this iteration or the next one to come, but does not cause one.
  const awaitEnd = (): NodeJS.Immediate => (iterationEnd ??= setImmediate(nextIteration).unref())
  const startNext = (): void => {
    waiting.next()?.()
    // After the microtasks and the events of the work, so that its time counts.
    queueMicrotask(() => process.nextTick(continueIteration))
  }
  const continueIteration = (): void => {
    const leftMs = (endsAt ?? 0) - elapsed()
    if (waiting.size() > 0) {
      if (leftMs > 0) startNext()
      else awaitEnd().ref()
      return
    }
    usedMs = maxMs - leftMs
    endsAt = null
    awaitEnd()
  }
  const nextIteration = (): void => {
    iterationEnd = null
    usedMs = 0
    endsAt = null
    if (waiting.size() === 0) return
    endsAt = elapsed() + maxMs
    startNext()
  }
  const hasTime = (): boolean => {
    const at = elapsed()
    if (endsAt === null) {
      endsAt = at + maxMs - usedMs
      awaitEnd()
    }
    return at < endsAt
  }
  return {
    short: (origin) => {
      if (hasTime()) return null
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(origin(), resolve)
      awaitEnd().ref()
      return promise
    },
  }
}

/** Maximum time of a slice in milliseconds. A step between two pauses may exceed it. */
const defaultSliceMs = 0.5

/** Maximum time of short work in an event loop iteration in milliseconds. Work that has begun may exceed it. */
const defaultShortMs = 8

/** Runs long work in slices, so that it does not block the process. */
export type Slices = {
  /**
   * Runs the steps of one job until they return. The result may come iterations later.
   * @param isLong false: runs all of them in one event loop iteration, in this one if it has time for `short` work
   */
  run<Result>(steps: Generator<undefined, Result, undefined>, isLong?: boolean): Promise<Result>
  /** Runs a job whose length is not known: as `short` work until its first pause, from there on in slices. */
  begin<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result>
  /**
   * Waits for the turn of one short step, such as the write of a piece: what the caller does in the microtasks after
   * it. Steps share a slice: further ones begin in it until its time has passed.
   */
  step(): Promise<void>
  /**
   * Returns null if the caller may do short work now: the short work of all owners has used less than `shortMs` in this
   * event loop iteration. Else it returns a promise of the caller's turn in a later one, in which the work of several
   * owners runs round-robin until its time is over. The work is what the caller does in the microtasks after it. Work
   * that takes some milliseconds calls `short` again in between.
   */
  short(): Promise<void> | null
  /**
   * Returns the same runner for the jobs of one owner, such as a workspace. Owners take turns, and so do the jobs of
   * one owner in its turns. An owner with many jobs therefore delays the job of another owner no longer than one job
   * would. Jobs without an owner belong to one common owner.
   */
  of(owner: string): Slices
  /**
   * Calls `work`, for which no client waits: the slices of all that it does, also in stores, take turns with those of
   * requests.
   */
  inBackground<Result>(work: () => Result): Result
}

type MakeSlicesOptions = { sliceMs?: number; shortMs?: number; elapsed?: Monotonic }

/**
 * Returns a runner for long work. In each event loop iteration one slice of one job runs, or one slice of short steps,
 * and the owners of jobs take turns (`workTurns`). Many jobs therefore delay other requests no longer than one job. A
 * process shares one runner: with several runners, a slice of each would run in an iteration.
 */
export const makeSlices = ({
  sliceMs = defaultSliceMs,
  shortMs = defaultShortMs,
  elapsed = () => performance.now(),
}: MakeSlicesOptions = {}): Slices => {
  const turns = sliceTurns(sliceMs, elapsed)
  const shorts = shortTurns(shortMs, elapsed)
  const background = new AsyncLocalStorage<true>()
  const inBackground: Slices['inBackground'] = (work) => background.run(true, work)
  const slicesOf = (owner: string): Slices => {
    const origin = (): WorkOrigin => ({ owner, isBackground: background.getStore() === true })
    const short: Slices['short'] = () => shorts.short(origin)
    const run: Slices['run'] = async (steps, isLong = true) => {
      const turn = isLong ? null : short()
      if (turn !== null) await turn
      for (;;) {
        if (isLong) await turns.slice(origin())
        const endsAt = isLong ? elapsed() + sliceMs : Number.POSITIVE_INFINITY
        do {
          const step = steps.next()
          if (step.done) return step.value
        } while (!isLong || elapsed() < endsAt)
      }
    }
    return {
      run,
      begin: async (steps) => {
        const turn = short()
        if (turn !== null) await turn
        const first = steps.next()
        return first.done ? first.value : run(steps)
      },
      step: () => turns.step(origin()),
      short,
      of: slicesOf,
      inBackground,
    }
  }
  return slicesOf('')
}

/** Waits for the next slice of a runner. The slice is what the caller does until it waits again. */
export const nextSlice = (slices: Pick<Slices, 'run'>): Promise<void> => slices.run(nothing())

function* nothing(): Generator<undefined, void, undefined> {}
