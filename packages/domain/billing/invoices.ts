import { tooLong } from '@postrider/mail/problemTexts.ts'

export const invoiceStatuses = ['open', 'paid', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** Returns the number of the n-th invoice of an installation, as people read it. */
export const invoiceNumber = (seq: number): string => `PR-${String(seq).padStart(6, '0')}`

/** Returns what a change of an invoice's status to `status` at `at` sets, with the reason for it. */
export const statusFields = (
  status: InvoiceStatus,
  { at, reason }: { at: number; reason: string },
): { status: InvoiceStatus; reason: string; paidAt?: number } => ({
  status,
  reason,
  ...(status === 'paid' && { paidAt: at }),
})

/** Returns the fields of a new invoice about its status. One that is issued as paid was paid then. */
export const newStatusFields = ({ status, issuedAt }: { status: InvoiceStatus; issuedAt: number }) => ({
  paidAt: null,
  ...statusFields(status, { at: issuedAt, reason: '' }),
})

/** Returns the total of an invoice in cents: the sum of its lines. */
export const totalOf = ({ lines }: { lines: readonly { amountCents: number }[] }): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

const maxReasonLength = 500

/** Returns the problems of a reason that the operator gives. */
export const reasonProblems = (
  reason: string,
  isRequired: boolean,
): { path: string; code: string; message: string }[] => {
  if (isRequired && reason.trim() === '')
    return [{ path: 'reason', code: 'required', message: 'State the reason; it is stored with the change.' }]
  if ([...reason].length > maxReasonLength) return [{ path: 'reason', ...tooLong(maxReasonLength) }]
  return []
}

const maxSends = 1_000_000_000
const maxCents = 100_000_000

type Adjustment = { sends?: number | undefined; amountCents?: number | null | undefined; reason: string }

/** Returns the problems of an adjustment. `amountCents` null: the text is no amount. */
export const adjustmentProblems = ({
  sends,
  amountCents,
  reason,
}: Adjustment): { path: string; code: string; message: string }[] => {
  const problem = (path: string, message: string) => ({ path, code: 'invalid_value', message })
  if ((sends === undefined) === (amountCents === undefined))
    return [problem('', 'Give either sends or amount_usd.'), ...reasonProblems(reason, true)]
  const isCount = sends === undefined || (Number.isInteger(sends) && sends !== 0 && Math.abs(sends) <= maxSends)
  const isAmount =
    amountCents === undefined || (amountCents !== null && amountCents !== 0 && Math.abs(amountCents) <= maxCents)
  return [
    ...(isCount ? [] : [problem('sends', 'Must be a whole number of sends other than 0; below 0 releases sends.')]),
    ...(isAmount
      ? []
      : [problem('amount_usd', 'Must be US dollars with at most two decimals other than 0; below 0 is a credit.')]),
    ...reasonProblems(reason, true),
  ]
}
