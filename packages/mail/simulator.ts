export type SimulatorOutcome = 'delivered' | 'bounced' | 'deferred' | 'complained' | 'suppressed'

const outcomes: ReadonlySet<string> = new Set<SimulatorOutcome>([
  'delivered',
  'bounced',
  'deferred',
  'complained',
  'suppressed',
])
const ending = '@simulator.postrider.dev'

const isOutcome = (text: string): text is SimulatorOutcome => outcomes.has(text)

/**
 * Returns the outcome that a simulator address stands for, such as `bounced@simulator.postrider.dev`; it may have a
 * `+label`, and works with live and test keys.
 * @returns null: an ordinary address
 */
export const simulatorOutcome = (address: string): SimulatorOutcome | null => {
  const folded = address.toLowerCase()
  if (!folded.endsWith(ending)) return null
  const [name = ''] = folded.slice(0, -ending.length).split('+', 1)
  return isOutcome(name) ? name : null
}
