import { needsSmtpUtf8 } from '@postrider/mail/address.ts'
import type { MailRoute } from '@postrider/mail/mailRoute.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { MailRouteReason } from './conversation.ts'
import type { Email, Mode } from './email.ts'

/** `live`: the mail route of the operator, for the lane of the email; `test`: that of test mail (`testTransportOf`). */
export type TransportChoice = { transport: 'live' | 'test' | 'simulator'; reason: MailRouteReason }

/** Recipients, by their numbers, that one transport carries together. */
export type RecipientGroup = TransportChoice & { numbers: number[] }

const ordinaryTransports = {
  live: { transport: 'live', reason: 'operator_route' },
  test: { transport: 'test', reason: 'test_mode' },
} as const satisfies Record<Mode, TransportChoice>

const simulatorTransport = { transport: 'simulator', reason: 'magic_recipient' } as const satisfies TransportChoice

/** Returns which transport carries an address, and why. Magic recipients are simulated in live and test mail. */
export const transportOf = (mode: Mode, address: string): TransportChoice =>
  simulatorOutcome(address) === null ? ordinaryTransports[mode] : simulatorTransport

/**
 * Returns which transport test mail has under a mail route: it never leaves, so it goes where live mail goes only if
 * that is the mailbox. Otherwise its delivery is simulated.
 */
export const testTransportOf = ({ kind }: Pick<MailRoute, 'kind'>): 'live' | 'simulator' =>
  kind === 'mailbox' ? 'live' : 'simulator'

/**
 * Returns which transport carries each recipient. Addresses that need SMTPUTF8 are in separate groups: a server without
 * it would refuse the others with them.
 */
export const recipientGroups = (
  { mode, recipients }: Pick<Email, 'mode' | 'recipients'>,
  numbers: readonly number[],
): RecipientGroup[] => {
  const addressOf = (number: number): string => recipients[number]?.address ?? ''
  const [magic, ordinary] = partition(numbers, (number) => transportOf(mode, addressOf(number)) === simulatorTransport)
  const [international, ascii] = partition(ordinary, (number) => needsSmtpUtf8(addressOf(number)))
  const chosen = ordinaryTransports[mode]
  const groups: RecipientGroup[] = [
    { ...chosen, numbers: ascii },
    { ...chosen, numbers: international },
    { ...simulatorTransport, numbers: magic },
  ]
  return groups.filter(({ numbers: groupNumbers }) => groupNumbers.length > 0)
}

const partition = <Item>(items: readonly Item[], matches: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(matches),
  items.filter((item) => !matches(item)),
]
