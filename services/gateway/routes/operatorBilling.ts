import {
  AdjustmentRecord,
  CreateAdjustment,
  InvoiceFilters,
  OperatorInvoice,
  OperatorInvoiceList,
  UpdateInvoice,
} from '@postrider/contracts/http/billing.ts'
import { Id } from '@postrider/contracts/http/schema.ts'
import { parseUsd } from '@postrider/domain/billing/money.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { refusedAdjustment } from '../checks/refusedBodies.ts'
import { listPage } from '../lists.ts'
import { adjustmentRecord, operatorInvoiceRecord } from '../records/billingRecords.ts'
import { operatorRoute, present } from '../route.ts'

const path = '/api/v1/operator/invoices'
const tag = 'Operator'

export const listAllInvoices = operatorRoute({
  name: 'listAllInvoices',
  method: 'GET',
  path,
  operator: true,
  tag,
  summary: 'List the invoices of every workspace',
  limit: null,
  query: InvoiceFilters,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: OperatorInvoiceList, description: 'A page of invoices, newest first.' },
  handle: async ({ query }, { quota, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, '', query)
    const { workspace, status = null, period: month = null } = query
    const scope = workspace === undefined ? 'all' : { workspace }
    const { invoices } = await quota.ListInvoices({ scope, status, month, before: before || null, limit: limit + 1 })
    return { json: body(invoices.slice(0, limit).map(operatorInvoiceRecord), invoices.length > limit) }
  },
})

export const getAnyInvoice = operatorRoute({
  name: 'getAnyInvoice',
  method: 'GET',
  path: `${path}/:id`,
  operator: true,
  tag,
  summary: 'Read an invoice of any workspace',
  limit: null,
  params: Id,
  reply: { status: 200, body: OperatorInvoice, description: 'The invoice.' },
  handle: async ({ params: { id } }, { quota }) => ({
    json: operatorInvoiceRecord(await quota.GetInvoice({ scope: 'all', id })),
  }),
})

export const updateInvoice = operatorRoute({
  name: 'updateInvoice',
  method: 'PATCH',
  path: `${path}/:id`,
  operator: true,
  tag,
  summary: 'Mark an open invoice as paid or void',
  description:
    'A void invoice needs a `reason`. Neither status changes again: correct a paid invoice with an adjustment, which appears on the next one. Repeating the request changes nothing.',
  limit: null,
  params: Id,
  body: UpdateInvoice,
  reply: { status: 200, body: OperatorInvoice, description: 'The invoice after the change.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, body: { status, reason = '' }, by }, { quota }) => ({
    json: operatorInvoiceRecord(await quota.SetInvoiceStatus({ id, status, reason, ...by })),
  }),
})

export const createAdjustment = operatorRoute({
  name: 'createAdjustment',
  method: 'POST',
  path: '/api/v1/operator/workspaces/:id/adjustments',
  operator: true,
  tag,
  summary: 'Correct the sends or the bill of a workspace',
  description:
    'With `sends`, the quota of this month changes, and with it the overage. With `amount_usd`, a line with the reason appears on the next invoice; more credit than that invoice has is used for the ones after it.',
  limit: null,
  idempotent: true,
  params: Id,
  body: CreateAdjustment,
  serviceProblems: refusedAdjustment,
  reply: { status: 201, body: AdjustmentRecord, description: 'The adjustment.' },
  replyHeaders: { 'Idempotent-Replayed': '`true` if an earlier request with the same key made the adjustment.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, body, by, idempotency }, { accounts, quota }) => {
    const { sends, amount_usd, reason } = body
    // It checks that the workspace exists.
    const workspace = await accounts.GetWorkspace({ workspace: id })
    const adjustment = {
      workspace: workspace.id,
      reason,
      ...by,
      ...present({ sends }),
      ...(amount_usd === undefined ? {} : { amount_cents: parseUsd(amount_usd) }),
      idempotency_key: idempotency?.key ?? '',
      fingerprint: Buffer.from(idempotency?.fingerprint ?? []),
    }
    const made = await quota.Adjust(adjustment)
    return { json: adjustmentRecord(made), headers: made.replayed ? { 'Idempotent-Replayed': 'true' } : {} }
  },
})
