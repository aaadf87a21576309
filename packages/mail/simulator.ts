const outcomes = ['delivered', 'bounced', 'deferred', 'complained', 'suppressed'] as const
export type SimulatorOutcome = (typeof outcomes)[number]

const ending = '@simulator.postrider.dev'

/**
 * Returns the outcome that a simulator address stands for, such as `bounced@simulator.postrider.dev`; it may have a
 * `+label`, and works with live and test keys.
 * @returns null: an ordinary address
 */
export const simulatorOutcome = (address: string): SimulatorOutcome | null => {
  const folded = address.toLowerCase()
  if (!folded.endsWith(ending)) return null
  const [name = ''] = folded.slice(0, -ending.length).split('+', 1)
  return outcomes.find((outcome) => outcome === name) ?? null
}
