import { acceptedAt, auditEntry, invoice, list, type OperationExamples, one, workspaceId } from './parts.ts'

const operatorInvoice = { ...invoice, workspace_id: workspaceId, reason: '' }

const controls = {
  object: 'workspace',
  id: workspaceId,
  name: 'Acme',
  plan: 'free',
  limits: { monthly: 10_000, daily: null, rate: 'plan', burst: 'plan' },
  suspended: false,
  suspended_reason: null,
  deletes_at: null,
  note: 'asked for more on 21 November',
  created_at: acceptedAt,
}

const user = {
  object: 'user',
  id: 'usr_01jd7w3k5vf2ya4m9x0q8r6t1n',
  email: 'jane@example.com',
  workspaces: [{ id: workspaceId, name: 'Acme', role: 'owner' }],
  disabled: false,
  disabled_reason: null,
  last_seen_at: acceptedAt,
  created_at: acceptedAt,
}

/** Examples of the operations on the operator. */
export const operatorExamples: Readonly<Record<string, OperationExamples>> = {
  listOperatorAuditLog: { query: `workspace=${workspaceId}`, reply: list({ ...auditEntry, workspace: workspaceId }) },
  listWorkspaces: { query: 'q=acme&plan=free&limit=50', reply: list(controls) },
  getWorkspaceControls: { reply: controls },
  setWorkspaceControls: {
    requests: one('More sends, without a daily limit', {
      limits: { monthly: 10_000, daily: null },
      note: 'asked for more on 21 November',
    }),
    reply: controls,
  },
  createAdjustment: {
    requests: one('A credit', { amount_usd: '-5.00', reason: 'Credit for the outage of 20 November' }),
    reply: {
      object: 'adjustment',
      id: 'adj_01jd7w3k5vf2ya4m9x0q8r6t1n',
      workspace_id: workspaceId,
      month: '2026-11',
      sends: null,
      amount_usd: '-5.00',
      reason: 'Credit for the outage of 20 November',
      created_at: acceptedAt,
    },
  },
  listAllInvoices: { query: 'status=open&period=2026-11', reply: list(operatorInvoice) },
  getAnyInvoice: { reply: operatorInvoice },
  updateInvoice: {
    requests: one('A transfer arrived', { status: 'paid', reason: 'transfer of 22 November' }),
    reply: { ...operatorInvoice, status: 'paid', paid_at: acceptedAt, reason: 'transfer of 22 November' },
  },
  deleteWorkspace: { reply: { ...controls, suspended: true, deletes_at: '2026-11-28T10:00:00.000Z' } },
  restoreWorkspace: { reply: controls },
  getHealth: {
    reply: {
      object: 'health',
      status: 'failing',
      parts: [
        { name: 'process', status: 'ok', detail: null },
        { name: 'accounts', status: 'ok', detail: null },
        { name: 'webhooks', status: 'failing', detail: 'no answer' },
      ],
    },
  },
  listUsers: { query: 'q=jane&limit=50', reply: list(user) },
  getUser: { reply: user },
  updateUser: {
    requests: one('Disable a user', { disabled: true, reason: 'The account was taken over.' }),
    reply: { ...user, disabled: true, disabled_reason: 'The account was taken over.' },
  },
}
