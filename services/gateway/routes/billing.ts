import {
  ChangePlan,
  InvoiceList,
  InvoiceRecord,
  LinkRecord,
  PlanList,
  PlanPreviewRecord,
  PlanStateRecord,
  PreviewPlan,
} from '@postrider/contracts/http/billing.ts'
import { Id, Page } from '@postrider/contracts/http/schema.ts'
import { UsageRecord } from '@postrider/contracts/http/workspace.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { listPage } from '../lists.ts'
import { invoicePage, pageHeaders } from '../pages/invoice.ts'
import {
  invoiceRecord,
  planPreviewRecord,
  planRecords,
  planStateRecord,
  usageRecord,
} from '../records/billingRecords.ts'
import { sessionRoute } from '../route.ts'

const tag = 'Billing'
const invoicesPath = '/api/v1/billing/invoices'

/** Returns the page that pages of the payment provider lead back to: the dashboard's page of the plan. */
const returnUrl = ({ publicUrl }: { publicUrl: string }): string => `${publicUrl}/billing`

export const getUsage = sessionRoute({
  name: 'getUsage',
  method: 'GET',
  path: '/api/v1/billing/usage',
  session: 'billing:read',
  tag,
  summary: 'Read the current usage against the plan’s quotas',
  limit: 'read',
  reply: { status: 200, body: UsageRecord, description: 'The month and day so far, UTC.' },
  handle: async ({ caller }, { quota }) => ({
    json: usageRecord(await quota.GetUsage({ workspace: caller.workspace })),
  }),
})

export const listPlans = sessionRoute({
  name: 'listPlans',
  method: 'GET',
  path: '/api/v1/billing/plans',
  session: 'billing:read',
  tag,
  summary: 'List the plans',
  description:
    'The operator can set other limits for a workspace: `GET /billing/usage` has the limits in effect. A plan that only the operator sets is listed if the workspace has it.',
  limit: 'read',
  reply: { status: 200, body: PlanList, description: 'All plans on one page, the smallest first.' },
  handle: async ({ caller: { workspace } }, { quota }) => {
    const { plan } = await quota.GetPlan({ workspace })
    return { json: { object: 'list' as const, data: planRecords(plan), has_more: false, next_cursor: null } }
  },
})

export const getPlan = sessionRoute({
  name: 'getPlan',
  method: 'GET',
  path: '/api/v1/billing/plan',
  session: 'billing:read',
  tag,
  summary: 'Read the plan in effect, and the one that begins next month',
  limit: 'read',
  reply: { status: 200, body: PlanStateRecord, description: 'The plan.' },
  handle: async ({ caller: { workspace } }, { quota }) => ({
    json: planStateRecord(await quota.GetPlan({ workspace })),
  }),
})

export const previewPlan = sessionRoute({
  name: 'previewPlan',
  method: 'GET',
  path: '/api/v1/billing/plan/preview',
  session: 'billing:read',
  tag,
  summary: 'Read what a change of the plan would do and cost',
  description:
    'Calculated as `POST /billing/plan` does it, at the time of the request. A day of UTC later an upgrade costs a day less. Changes nothing.',
  limit: 'read',
  query: PreviewPlan,
  reply: { status: 200, body: PlanPreviewRecord, description: 'What the change would do now.' },
  handle: async ({ query: { plan }, caller: { workspace } }, { quota }) => ({
    json: planPreviewRecord(plan, await quota.PreviewPlan({ workspace, plan })),
  }),
})

export const changePlan = sessionRoute({
  name: 'changePlan',
  method: 'POST',
  path: '/api/v1/billing/plan',
  session: 'billing:write',
  tag,
  summary: 'Change the plan',
  description:
    'Only an owner may do this. An upgrade begins immediately: its quota applies to the next send, and the rest of the month is invoiced by days, today included. If the service has a payment provider, the response has a `checkout_url` instead, and the upgrade begins when it is paid. A downgrade begins with the next month; until then the current plan revokes it.',
  limit: 'write',
  body: ChangePlan,
  reply: { status: 200, body: PlanStateRecord, description: 'The plan after the change.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body: { plan }, caller, session, clientAddress }, { quota, config, keyCache }) => {
    const { workspace, userId: actor } = caller
    const { email } = session
    const state = await quota.ChangePlan({
      workspace,
      plan,
      actor,
      email,
      return_url: returnUrl(config),
      client_address: clientAddress,
    })
    keyCache.forget((known) => known.workspace === workspace)
    return { json: planStateRecord(state) }
  },
})

export const listInvoices = sessionRoute({
  name: 'listInvoices',
  method: 'GET',
  path: invoicesPath,
  session: 'billing:read',
  tag,
  summary: 'List the workspace’s invoices',
  description:
    'A plan’s price is invoiced in advance: at an upgrade, and at the start of each month. Sends beyond the plan are invoiced after their month, when each of its sends has ended; corrections appear on the next invoice. An amount of zero is not invoiced, and a credit is used up first.',
  limit: 'read',
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: InvoiceList, description: 'A page of invoices, newest first.' },
  handle: async ({ query, caller: { workspace } }, { quota, cursors }) => {
    const { limit, before, body } = listPage(cursors, invoicesPath, workspace, query)
    // One more than the page shows whether another page follows.
    const { invoices } = await quota.ListInvoices({
      scope: { workspace },
      status: null,
      month: null,
      before: before || null,
      limit: limit + 1,
    })
    return { json: body(invoices.slice(0, limit).map(invoiceRecord), invoices.length > limit) }
  },
})

export const getInvoice = sessionRoute({
  name: 'getInvoice',
  method: 'GET',
  path: `${invoicesPath}/:id`,
  session: 'billing:read',
  tag,
  summary: 'Read one invoice',
  description: 'A browser, which accepts `text/html`, gets the page of `/print`.',
  limit: 'read',
  params: Id,
  reply: { status: 200, body: InvoiceRecord, isPageToo: true, description: 'The invoice.' },
  handle: async ({ params: { id }, caller: { workspace }, wantsHtml }, { quota, accounts }) => {
    const invoice = await quota.GetInvoice({ scope: { workspace }, id })
    if (!wantsHtml) return { json: invoiceRecord(invoice) }
    const { name } = await accounts.GetWorkspace({ workspace })
    return { bytes: invoicePage(invoice, name), type: 'text/html; charset=utf-8', headers: pageHeaders }
  },
})

export const printInvoice = sessionRoute({
  name: 'printInvoice',
  method: 'GET',
  path: `${invoicesPath}/:id/print`,
  session: 'billing:read',
  tag,
  summary: 'Read one invoice as a page to print',
  limit: 'read',
  params: Id,
  reply: { status: 200, type: 'text/html', description: 'A page without scripts.' },
  handle: async ({ params: { id }, caller: { workspace } }, { quota, accounts }) => {
    const invoice = await quota.GetInvoice({ scope: { workspace }, id })
    const { name } = await accounts.GetWorkspace({ workspace })
    return { bytes: invoicePage(invoice, name), type: 'text/html; charset=utf-8', headers: pageHeaders }
  },
})

export const payInvoice = sessionRoute({
  name: 'payInvoice',
  method: 'POST',
  path: `${invoicesPath}/:id/pay`,
  session: 'billing:write',
  tag,
  summary: 'Get a page where an open invoice is paid',
  description:
    'Only an owner may do this. Returns 409 if the service has no payment provider, if the invoice is not open, or while a payment of it is under way. A repeated request gets the same page. The invoice becomes `paid` when the provider reports the payment.',
  limit: 'write',
  params: Id,
  reply: { status: 200, body: LinkRecord, description: 'The page of the payment provider.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, caller, session: { email } }, { quota, config }) => {
    const { workspace } = caller
    const { url } = await quota.PayInvoice({ workspace, id, email, return_url: returnUrl(config) })
    return { json: { object: 'link' as const, url } }
  },
})

export const openPortal = sessionRoute({
  name: 'openPortal',
  method: 'POST',
  path: '/api/v1/billing/portal',
  session: 'billing:write',
  tag,
  summary: 'Get the payment provider’s page for cards and receipts',
  description: 'Only an owner may do this. Returns 409 before the first payment by card.',
  limit: 'write',
  reply: { status: 200, body: LinkRecord, description: 'The page of the payment provider.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ caller }, { quota, config }) => {
    const { url } = await quota.OpenPortal({ workspace: caller.workspace, return_url: returnUrl(config) })
    return { json: { object: 'link' as const, url } }
  },
})
