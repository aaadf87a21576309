/** What rendering may take: bytes of UTF-8 put out, steps of the interpreter, milliseconds. */
export type RenderLimits = { outputBytes: number; steps: number; timeMs: number }

/** 250,000 steps take about 25 ms; a loop over the 30,000 items that fit in `template_vars` may print seven things of each. */
export const renderLimits: RenderLimits = { outputBytes: 2 * 1024 * 1024, steps: 250_000, timeMs: 100 }

/** What is left, shared by the parts of one email. */
export type RenderBudget = {
  limits: RenderLimits
  /** Takes one step; false: there is none left. */
  step(): boolean
  /** Whether `units` UTF-16 code units more can still fit; asked before the work of making them. */
  fits(units: number): boolean
  /** Takes a finished output; false: it was too much. */
  take(output: string): boolean
}

/** Steps between two looks at the clock: so rarely that an ordinary email never does, and no busy machine refuses one. */
const stepsPerLook = 4096

/** @param now milliseconds, of any beginning */
export const renderBudget = (now: () => number, limits: RenderLimits = renderLimits): RenderBudget => {
  const deadline = now() + limits.timeMs
  let steps = 0
  let bytes = 0
  return {
    limits,
    step: () => {
      steps += 1
      if (steps % stepsPerLook === 0 && now() > deadline) steps = limits.steps
      return steps <= limits.steps
    },
    fits: (units) => bytes + units <= limits.outputBytes,
    take: (output) => {
      bytes += Buffer.byteLength(output)
      return bytes <= limits.outputBytes
    },
  }
}
