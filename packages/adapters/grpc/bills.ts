import type { InvoiceLine__Output as LineMessage } from '@postrider/contracts/gen/postrider/quota/v1/InvoiceLine.ts'
import {
  type Adjustment,
  type AdjustRequest,
  type Invoice,
  type InvoiceChange,
  type InvoiceLine,
  type InvoiceQuery,
  type InvoiceScope,
  type PlanPreview,
  type QuotaRpc,
  quotaTimes,
} from '@postrider/contracts/services.ts'
import type { InvoiceStatus } from '@postrider/domain/billing/invoices.ts'
import { parseUsd, usdText } from '@postrider/domain/billing/money.ts'
import { codec } from './times.ts'

/**
 * Bills in their proto form, in both directions. A message has dollars as text, and an empty text stands for every
 * workspace, status or month; a process has cents, and names what it means.
 */
type Request<Method extends keyof QuotaRpc> = Parameters<QuotaRpc[Method]>[0]
type Reply<Method extends keyof QuotaRpc> = Awaited<ReturnType<QuotaRpc[Method]>>

const previewTimes = codec(quotaTimes.planPreview)
const invoiceTimes = codec(quotaTimes.invoice)
const adjustmentTimes = codec(quotaTimes.adjustment)

/** @throws Error: another process sent no amount */
export const readUsd = (text: string): number => {
  const cents = parseUsd(text)
  if (cents === null) throw new Error('a message of quota has an amount that is none')
  return cents
}

const lineMessage = ({ unit_cents, amount_cents, ...rest }: InvoiceLine): LineMessage => ({
  ...rest,
  unit_usd: usdText(unit_cents),
  amount_usd: usdText(amount_cents),
})

const readLine = ({ unit_usd, amount_usd, ...rest }: LineMessage): InvoiceLine => ({
  ...rest,
  unit_cents: readUsd(unit_usd),
  amount_cents: readUsd(amount_usd),
})

export const previewMessage = ({ lines, total_cents, due_cents, ...rest }: PlanPreview): Reply<'PreviewPlan'> => ({
  ...previewTimes.write(rest),
  lines: lines.map(lineMessage),
  total_usd: usdText(total_cents),
  due_usd: usdText(due_cents),
})

export const readPreview = ({ lines, total_usd, due_usd, ...rest }: Reply<'PreviewPlan'>): PlanPreview => ({
  ...previewTimes.read(rest),
  lines: lines.map(readLine),
  total_cents: readUsd(total_usd),
  due_cents: readUsd(due_usd),
})

export const invoiceMessage = ({ lines, total_cents, ...rest }: Invoice): Reply<'GetInvoice'> => ({
  ...invoiceTimes.write(rest),
  lines: lines.map(lineMessage),
  total_usd: usdText(total_cents),
})

export const readInvoice = ({ lines, total_usd, ...rest }: Reply<'GetInvoice'>): Invoice => ({
  ...invoiceTimes.read(rest),
  lines: lines.map(readLine),
  total_cents: readUsd(total_usd),
})

export const adjustmentMessage = ({ amount_cents: cents, ...rest }: Adjustment): Reply<'Adjust'> => ({
  ...adjustmentTimes.write(rest),
  ...(cents !== undefined && { amount_usd: usdText(cents) }),
})

export const readAdjustment = ({ amount_usd: amount, ...rest }: Reply<'Adjust'>): Adjustment => ({
  ...adjustmentTimes.read(rest),
  ...(amount !== undefined && { amount_cents: readUsd(amount) }),
})

/**
 * An invalid amount becomes an empty text, which is also invalid: quota refuses it together with all problems of the
 * request.
 */
export const adjustMessage = ({ amount_cents: cents, ...rest }: AdjustRequest): Request<'Adjust'> => ({
  ...rest,
  ...(cents !== undefined && { amount_usd: cents === null ? '' : usdText(cents) }),
})

export const readAdjust = ({ amount_usd: amount, ...rest }: Request<'Adjust'>): AdjustRequest => ({
  ...rest,
  ...(amount !== undefined && { amount_cents: parseUsd(amount) }),
})

/** @throws Error: the workspace is empty, which a message has for all of them */
export const workspaceText = (scope: InvoiceScope): string => {
  if (scope === 'all') return ''
  if (scope.workspace === '') throw new Error('a workspace has an empty id')
  return scope.workspace
}

export const readScope = (workspace: string): InvoiceScope => (workspace === '' ? 'all' : { workspace })

export const queryMessage = ({ scope, status, month, before, limit }: InvoiceQuery): Request<'ListInvoices'> => ({
  workspace: workspaceText(scope),
  status: status ?? '',
  month: month ?? '',
  before: before ?? '',
  limit,
})

export const readQuery = ({ workspace, status, month, before, limit }: Request<'ListInvoices'>): InvoiceQuery => ({
  scope: readScope(workspace),
  status: status === '' ? null : (status as InvoiceStatus),
  month: month || null,
  before: before || null,
  limit,
})

export const readChangeOfInvoice = ({ status, ...rest }: Request<'SetInvoiceStatus'>): InvoiceChange => ({
  ...rest,
  status: status === 'paid' ? 'paid' : 'void',
})
