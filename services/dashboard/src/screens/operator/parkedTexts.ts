import type { ParkedEmail } from '../../api/operator.ts'
import { count } from '../overview/figures.ts'

type Decided = Pick<ParkedEmail, 'attempts' | 'may_have_arrived' | 'on_unknown' | 'recipients'>

/** Maximum number of domains that a row names. */
const maxNamed = 4

/** Returns how many recipients wait, and at which domains. */
export const recipientsText = ({ recipients, domains }: Pick<ParkedEmail, 'recipients' | 'domains'>): string => {
  const named = domains.slice(0, maxNamed).join(', ')
  const more = domains.length - maxNamed
  return `${count(recipients)} at ${named}${more > 0 ? ` and ${count(more)} more` : ''}`
}

/** Returns what becomes of recipients that may have the message already. */
export const unknownText = ({ on_unknown }: Pick<ParkedEmail, 'on_unknown'>): string =>
  on_unknown === 'hold' ? 'The sender decides (hold)' : 'It is sent again (retry)'

/** Returns what a release does, by sentence. */
export const releaseTexts = ({ may_have_arrived, on_unknown }: Decided): readonly string[] => [
  'It is due again immediately, or at its scheduled time if that is later. It may stop 20 more workers before it is parked again, so release it when the cause is gone.',
  !may_have_arrived
    ? 'No recipient that waits can have the message already, so none gets it twice.'
    : on_unknown === 'hold'
      ? 'Recipients that may have the message get the status “Needs decision”: its sender decides. It is sent to the others.'
      : 'Recipients may have the message already, and the sender chose to send again (retry): they may get it twice.',
]

/** Returns what a drop does, by sentence. */
export const dropTexts = ({ attempts, may_have_arrived, on_unknown, recipients }: Decided): readonly string[] => {
  const waiting =
    recipients === 1 ? 'The recipient that waits gets' : `The ${count(recipients)} recipients that wait get`
  const quota =
    attempts === 0
      ? 'The sends are returned to the quota.'
      : 'The sends are not returned to the quota, because there was an attempt.'
  const doubt = !may_have_arrived
    ? []
    : on_unknown === 'hold'
      ? ['Recipients that may have the message get the status “Needs decision” instead: its sender decides.']
      : ['Recipients may have the message already, although their status is then “Failed”.']
  return [`${waiting} the status “Failed” and the event email.failed. This cannot be undone.`, ...doubt, quota]
}
