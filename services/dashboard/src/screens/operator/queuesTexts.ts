import type { Queues } from '../../api/operator.ts'
import { count } from '../overview/figures.ts'

type Lane = Queues['lanes'][number]

/** Maximum number of parked emails that the API counts. */
const maxParked = 10_000
/** Maximum number of destinations that the API lists. */
const maxDestinations = 100

const names: Readonly<Record<string, string>> = { transactional: 'Transactional', marketing: 'Marketing' }

/** Returns the name of a lane for people. An unknown lane is shown by its name in the API. */
export const laneName = (lane: string): string => names[lane] ?? lane

/** Returns how much mail is parked, as a sentence. */
export const parkedText = (parked: number): string => {
  if (parked === 0) return 'No email is parked.'
  if (parked === 1) return '1 email is parked, and waits for your decision.'
  const more = parked < maxParked ? '' : ' or more'
  return `${count(parked)} emails${more} are parked, and wait for your decision.`
}

/** Returns by how much of the waiting mail the destinations are counted. */
export const sampleText = ({
  lanes,
  destinations,
  sample,
}: Pick<Queues, 'lanes' | 'destinations' | 'sample'>): string => {
  const isComplete = ({ waiting }: Lane): boolean => waiting < sample.limit
  const cut = destinations.length < maxDestinations ? '' : ` Shown are the ${maxDestinations} with most recipients.`
  if (lanes.every(isComplete)) return `All waiting mail is counted.${cut}`
  const waiting = lanes.reduce((sum, lane) => sum + lane.waiting, 0)
  const whole = lanes.filter(isComplete).map(({ lane }) => laneName(lane))
  const completeText = whole.length === 0 ? '' : ` ${whole.join(', ')} is counted completely.`
  const sampled = `A sample of ${count(sample.emails)} of ${count(waiting)} waiting emails: of each lane the ${count(sample.limit)} that are due first.`
  return `${sampled}${completeText}${cut}`
}
