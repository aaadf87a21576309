import { needsSmtpUtf8 } from '@postrider/mail/address.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { MailRouteReason } from './conversation.ts'
import type { Email } from './email.ts'

/** Recipients, by their numbers, that one transport carries together. */
export type RecipientGroup = {
  /** `live`: the mail route of the operator, for the lane of the email; `test`: that of test mail. */
  transport: 'live' | 'test' | 'simulator'
  reason: MailRouteReason
  numbers: number[]
}

/**
 * Returns which transport carries each recipient. Magic recipients are simulated in live and test mail. Addresses that need SMTPUTF8
 * are apart: a server without it would refuse the others with them.
 */
export const recipientGroups = (
  { mode, recipients }: Pick<Email, 'mode' | 'recipients'>,
  numbers: readonly number[],
): RecipientGroup[] => {
  const addressOf = (number: number): string => recipients[number]?.address ?? ''
  const [magic, ordinary] = partition(numbers, (number) => simulatorOutcome(addressOf(number)) !== null)
  const [international, ascii] = partition(ordinary, (number) => needsSmtpUtf8(addressOf(number)))
  const chosen =
    mode === 'live'
      ? ({ transport: 'live', reason: 'operator_route' } as const)
      : ({ transport: 'test', reason: 'test_mode' } as const)
  const groups: RecipientGroup[] = [
    { ...chosen, numbers: ascii },
    { ...chosen, numbers: international },
    { transport: 'simulator', reason: 'magic_recipient', numbers: magic },
  ]
  return groups.filter(({ numbers: groupNumbers }) => groupNumbers.length > 0)
}

const partition = <Item>(items: readonly Item[], matches: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(matches),
  items.filter((item) => !matches(item)),
]
