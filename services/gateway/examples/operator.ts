import {
  acceptedAt,
  auditEntry,
  emailId,
  exampleOf,
  invoice,
  list,
  type OperationExamples,
  workspaceId,
} from './parts.ts'

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

const operator = {
  object: 'operator',
  id: user.id,
  email: user.email,
  totp_enabled: true,
  disabled: false,
  last_seen_at: acceptedAt,
  created_at: acceptedAt,
}

const parkedEmail = {
  object: 'parked_email',
  id: emailId,
  workspace_id: workspaceId,
  mode: 'live',
  category: 'transactional',
  status: 'queued',
  created_at: acceptedAt,
  parked_at: '2026-11-21T10:10:00.000Z',
  on_unknown: 'retry',
  attempts: 0,
  last_attempt_at: null,
  may_have_arrived: false,
  recipients: 1,
  domains: ['example.com'],
}

const queues = {
  object: 'queues',
  lanes: [
    {
      lane: 'transactional',
      due: 12,
      oldest_due_at: acceptedAt,
      waiting: 260,
      scheduled: 200,
      test: 0,
      bytes: 1_064_960,
    },
    { lane: 'marketing', due: 0, oldest_due_at: null, waiting: 0, scheduled: 0, test: 0, bytes: 0 },
  ],
  parked: 1,
  destinations: [{ domain: 'example.com', recipients: 210, due: 12, deferred: 40, next_at: acceptedAt }],
  sample: { emails: 200, limit: 200 },
}

/** Examples of the operations on the operator. */
export const operatorExamples: Readonly<Record<string, OperationExamples>> = {
  listOperatorAuditLog: { reply: list({ ...auditEntry, workspace: workspaceId }) },
  listOperators: { reply: list(operator) },
  addOperator: { requests: exampleOf('A colleague', { email: user.email }), reply: operator },
  listWorkspaces: { reply: list(controls) },
  getWorkspaceControls: { reply: controls },
  setWorkspaceControls: {
    requests: exampleOf('More sends, without a daily limit', {
      limits: { monthly: 10_000, daily: null },
      note: 'asked for more on 21 November',
    }),
    reply: controls,
  },
  createAdjustment: {
    requests: exampleOf('A credit', { amount_usd: '-5.00', reason: 'Credit for the outage of 20 November' }),
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
  listAllInvoices: { reply: list(operatorInvoice) },
  getAnyInvoice: { reply: operatorInvoice },
  updateInvoice: {
    requests: exampleOf('A transfer arrived', { status: 'paid', reason: 'transfer of 22 November' }),
    reply: { ...operatorInvoice, status: 'paid', paid_at: acceptedAt, reason: 'transfer of 22 November' },
  },
  getQueues: { reply: queues },
  listParkedEmails: { reply: list(parkedEmail) },
  releaseParkedEmail: { reply: { ...parkedEmail, parked_at: null } },
  dropParkedEmail: { reply: { ...parkedEmail, status: 'failed', parked_at: null, recipients: 0, domains: [] } },
  deleteWorkspace: { reply: { ...controls, suspended: true, deletes_at: '2026-11-28T10:00:00.000Z' } },
  restoreWorkspace: { reply: controls },
  getHealth: {
    reply: {
      object: 'health',
      status: 'failing',
      parts: [
        { name: 'process', status: 'ok', processes: null, detail: null },
        { name: 'accounts', status: 'ok', processes: null, detail: null },
        { name: 'webhooks', status: 'failing', processes: null, detail: 'no response' },
        { name: 'redis', status: 'ok', processes: null, detail: null },
        { name: 'dispatcher', status: 'ok', processes: 3, detail: null },
      ],
    },
  },
  listUsers: { reply: list(user) },
  getUser: { reply: user },
  updateUser: {
    requests: exampleOf('Disable a user', { disabled: true, reason: 'The account was taken over.' }),
    reply: { ...user, disabled: true, disabled_reason: 'The account was taken over.' },
  },
}
