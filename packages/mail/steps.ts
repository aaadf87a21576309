/** Work that can pause: it yields where other work of the process may run. `Result` is what it returns in the end. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Characters of stored or written text that one step handles between two pauses: about a millisecond. */
export const charactersOfStep = 65_536

/** Runs work to its end without a pause, for input that is known to be short. */
export const finish = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
