/* What examples of several areas share. */

type Example = { summary: string; value: Record<string, unknown> }

export type OperationExamples = {
  /** The first one is that of the reference page's commands. */
  requests?: Readonly<Record<string, Example>>
  reply?: Record<string, unknown>
}

export const [emailId, templateId, keyId, workspaceId] = [
  'em_01jd7w3k5vf2ya4m9x0q8r6t1n',
  'tpl_01jd7w3k5vf2ya4m9x0q8r6t1n',
  'key_01jd7w3k5vf2ya4m9x0q8r6t1n',
  'ws_01jd7w3k5vf2ya4m9x0q8r6t1n',
] as const

export const [acceptedAt, deliveredAt] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:01.250Z'] as const

export const sender = 'mail@postrider.example'

export const invoice = {
  object: 'invoice',
  id: 'in_01jd7w3k5vf2ya4m9x0q8r6t1n',
  number: 'PR-000042',
  period: { start: '2026-11-21T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  lines: [
    {
      description: 'Pro plan, 21 to 30 November 2026 (10 of 30 days)',
      quantity: 1,
      unit_usd: '6.67',
      amount_usd: '6.67',
    },
  ],
  total_usd: '6.67',
  status: 'open',
  issued_at: acceptedAt,
  paid_at: null,
}

export const reply = '250 2.0.0 Ok: queued as 4XyZ'

export const auditEntry = {
  object: 'audit_entry',
  id: 'aud_01jd7w3k5vf2ya4m9x0q8r6t1n',
  created_at: acceptedAt,
  actor: { type: 'user', id: 'usr_01jd7w3k5vf2ya4m9x0q8r6t1n', email: 'ada@example.com', name: null },
  action: 'key.update',
  target: keyId,
  before: { name: 'production' },
  after: { name: 'production 2' },
  client_address: '203.0.113.9',
}

export const list = (record: Record<string, unknown>) => ({
  object: 'list',
  data: [record],
  has_more: false,
  next_cursor: null,
})

export const exampleOf = (summary: string, value: Record<string, unknown>) => ({ example: { summary, value } })
