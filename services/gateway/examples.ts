import type { FaultCode, Problem } from '@postrider/kit/fault.ts'

/**
 * Examples of the API reference, by operation. A test checks each one against its schema, and sends the requests to a
 * running service.
 */

type Example = { summary: string; value: Record<string, unknown> }
export type OperationExamples = {
  /** The first one is that of the reference page's commands. */
  requests?: Readonly<Record<string, Example>>
  reply?: Record<string, unknown>
  /** Of a list: a useful query. */
  query?: string
}

const [emailId, templateId, keyId, workspaceId] = [
  'em_01jd7w3k5vf2ya4m9x0q8r6t1n',
  'tpl_01jd7w3k5vf2ya4m9x0q8r6t1n',
  'key_01jd7w3k5vf2ya4m9x0q8r6t1n',
  'ws_01jd7w3k5vf2ya4m9x0q8r6t1n',
] as const
const [acceptedAt, deliveredAt] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:01.250Z'] as const
const sender = 'mail@postrider.example'

const email = {
  object: 'email',
  id: emailId,
  status: 'queued',
  mode: 'live',
  created_at: acceptedAt,
  scheduled_at: null,
  expires_at: null,
  from_: `Acme <${sender}>`,
  to: ['Jane Doe <jane@example.com>'],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Your invoice',
  template_id: null,
  template_version: null,
  domain_id: null,
  category: 'transactional',
  topic: null,
  on_unknown: 'retry',
  tags: { team: 'billing' },
  metadata: { order_id: '4711' },
  message_id: '<01jd7w3k5vf2ya4m9x0q8r6t1n@postrider.example>',
  notices: [],
  recipients: [
    { address: 'jane@example.com', kind: 'to', status: 'queued', class: null, reply: null, next_at: acceptedAt },
  ],
}

const reply = '250 2.0.0 Ok: queued as 4XyZ'

const delivered = {
  ...email,
  status: 'delivered',
  recipients: [{ address: 'jane@example.com', kind: 'to', status: 'delivered', class: null, reply, next_at: null }],
  attempts: [
    {
      id: 'att_01jd7w3k5vf2ya4m9x0q8r6t1n',
      at: '2026-11-21T10:00:00.040Z',
      host: 'mx.example.com',
      recipients: ['jane@example.com'],
      outcome: 'delivered',
      reply,
      possible_duplicate: false,
      steps: [
        { name: 'mail', command: `MAIL FROM:<${sender}>`, reply: '250 2.1.0 Ok', duration_ms: 12 },
        { name: 'rcpt', command: 'RCPT TO:<jane@example.com>', reply: '250 2.1.5 Ok', duration_ms: 15 },
        { name: 'data', command: 'DATA', reply: '354 End data with <CR><LF>.<CR><LF>', duration_ms: 11 },
        { name: 'dot', command: '.', reply, duration_ms: 48 },
      ],
    },
  ],
  events: [
    {
      id: 'evt_1',
      type: 'email.accepted',
      timestamp: acceptedAt,
      sequence: 1,
      recipient: null,
      reply: null,
      class: null,
    },
    {
      id: 'evt_2',
      type: 'email.delivered',
      timestamp: deliveredAt,
      sequence: 2,
      recipient: 'jane@example.com',
      reply,
      class: null,
    },
  ],
}

const canceled = {
  ...email,
  status: 'canceled',
  scheduled_at: '2026-11-21T11:00:00.000Z',
  recipients: [
    { address: 'jane@example.com', kind: 'to', status: 'canceled', class: null, reply: null, next_at: null },
  ],
  attempts: [],
  events: [
    {
      id: 'evt_1',
      type: 'email.scheduled',
      timestamp: acceptedAt,
      sequence: 1,
      recipient: null,
      reply: null,
      class: null,
    },
    {
      id: 'evt_2',
      type: 'email.canceled',
      timestamp: deliveredAt,
      sequence: 2,
      recipient: null,
      reply: null,
      class: null,
    },
  ],
}

const templateSummary = {
  object: 'template',
  id: templateId,
  name: 'welcome',
  subject: 'Welcome, {{name}}',
  variables: ['name'],
  version: 1,
  created_at: acceptedAt,
  updated_at: acceptedAt,
}
const template = { ...templateSummary, html_body: '<p>Hello {{name}}</p>', text_body: 'Hello {{name}}' }

const apiKey = {
  object: 'api_key',
  id: keyId,
  name: 'production',
  scopes: ['emails:send', 'emails:read', 'templates:write', 'templates:read'],
  mode: 'live',
  prefix: 'pr_live_8aX2',
  last_four: 'k9Qz',
  created_at: acceptedAt,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  domains: [],
  networks: [],
}

const session = {
  user: { id: 'usr_01jd7w3k5vf2ya4m9x0q8r6t1n', email: 'jane@example.com' },
  workspace: { id: workspaceId, name: 'Acme', plan: 'free', sender },
  role: 'owner',
  csrf_token: 'b1cWb2lJ6Xk0Yv3nq7T5sA',
}

const workspace = {
  object: 'workspace',
  id: workspaceId,
  name: 'Acme',
  plan: 'free',
  sender,
  sender_name: '',
  postal_address: '',
  on_unknown: 'retry',
  retention: null,
  spending_cap_usd: null,
  suspended: false,
  created_at: acceptedAt,
}

const controls = {
  object: 'workspace',
  id: workspaceId,
  name: 'Acme',
  plan: 'free',
  limits: { monthly: 10_000, daily: null, rate: 'plan', burst: 'plan' },
  suspended: false,
  note: 'asked for more on 21 November',
  created_at: acceptedAt,
}

const list = (record: Record<string, unknown>) => ({
  object: 'list',
  data: [record],
  has_more: false,
  next_cursor: null,
})
const one = (summary: string, value: Record<string, unknown>) => ({ example: { summary, value } })

export const examples: Readonly<Record<string, OperationExamples>> = {
  sendEmail: {
    requests: {
      text: {
        summary: 'A message as text',
        value: { to: ['Jane Doe <jane@example.com>'], subject: 'Your invoice', text: 'Thank you!' },
      },
      html: {
        summary: 'HTML with a file, a tag and metadata',
        value: {
          to: ['jane@example.com'],
          cc: ['accounting@example.com'],
          reply_to: 'billing@example.com',
          subject: 'Your invoice',
          html: '<p>Thank you! The invoice is attached.</p>',
          attachments: [{ filename: 'invoice.txt', content: 'MTIuNTAgRVVSCg==' }],
          tags: { team: 'billing' },
          metadata: { order_id: '4711' },
        },
      },
      template: {
        summary: 'From a template',
        value: { to: ['jane@example.com'], template_id: templateId, template_vars: { name: 'Jane' } },
      },
      scheduled: {
        summary: 'In an hour, and not later than ten minutes after that',
        value: {
          to: ['jane@example.com'],
          subject: 'Your table',
          text: 'See you soon.',
          scheduled_at: 'PT1H',
          expires_in: 'PT10M',
        },
      },
    },
    reply: email,
  },
  listEmails: { query: 'status=delivered&limit=50', reply: list({ ...email, status: 'delivered' }) },
  getEmail: { reply: delivered },
  cancelEmail: { reply: canceled },
  resolveEmail: { requests: one('The message arrived', { as: 'delivered' }), reply: delivered },
  createTemplate: {
    requests: one('A template with a placeholder', {
      name: 'welcome',
      subject: 'Welcome, {{name}}',
      html_body: '<p>Hello {{name}}</p>',
      text_body: 'Hello {{name}}',
    }),
    reply: template,
  },
  listTemplates: { query: 'limit=50', reply: list(templateSummary) },
  getTemplate: { reply: template },
  getUsage: {
    reply: {
      plan: 'free',
      period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
      monthly: { limit: 3_000, used: 120, remaining: 2_880 },
      daily: { limit: 100, used: 20, remaining: 80, resets_at: '2026-11-22T00:00:00.000Z' },
      overage: { allowed: false, sends: 0, blocks: 0, amount_usd: '0.00', cap_usd: null },
      overrides: { monthly: 'plan', daily: 'plan' },
      history: [{ date: '2026-11-21', sends: 20 }],
    },
  },
  signUp: {
    requests: one('A user with a workspace', {
      email: 'jane@example.com',
      password: 'correct horse battery staple',
      workspace_name: 'Acme',
    }),
    reply: session,
  },
  logIn: {
    requests: one('A user', { email: 'jane@example.com', password: 'correct horse battery staple' }),
    reply: session,
  },
  getSession: { reply: session },
  getWorkspace: { reply: workspace },
  updateWorkspace: {
    requests: one('Sender name and postal address', {
      sender_name: 'Acme',
      postal_address: 'Acme, 1 Main Street, 12345 Springfield',
    }),
    reply: { ...workspace, sender_name: 'Acme', postal_address: 'Acme, 1 Main Street, 12345 Springfield' },
  },
  createApiKey: {
    requests: {
      live: { summary: 'A live key that sends', value: { name: 'production', scopes: ['emails:send'] } },
      test: {
        summary: 'A test key for one network',
        value: { name: 'tests', mode: 'test', networks: ['192.0.2.0/24'], expires_at: '2030-01-31T12:00:00Z' },
      },
    },
    reply: {
      ...apiKey,
      scopes: ['emails:send'],
      key: 'pr_live_8aX2…k9Qz',
    },
  },
  listApiKeys: { query: 'limit=50', reply: list(apiKey) },
  updateApiKey: {
    requests: one('Another name, and no expiry', { name: 'production 2', expires_at: null }),
    reply: { ...apiKey, name: 'production 2' },
  },
  listWorkspaces: { query: 'limit=50', reply: list(controls) },
  getWorkspaceControls: { reply: controls },
  setWorkspaceControls: {
    requests: one('More sends, without a daily limit', {
      limits: { monthly: 10_000, daily: null },
      note: 'asked for more on 21 November',
    }),
    reply: controls,
  },
  getOpenapi: { reply: { openapi: '3.1.0', info: { title: 'Postrider', version: '1' }, paths: {} } },
}

type Refusal = { detail: string; errors?: Problem[] }

const withError = (detail: string, problem: Problem): Refusal => ({ detail, errors: [problem] })

/** An example of each refusal. */
export const refusals: Readonly<Record<FaultCode, Refusal>> = {
  malformed_request: withError('The body is not valid JSON at line 3, column 1: remove the comma before “}”.', {
    path: '',
    code: 'invalid_json',
    message: 'The body is not valid JSON at line 3, column 1: remove the comma before “}”.',
  }),
  unauthenticated: { detail: 'This request needs a valid API key (Authorization: Bearer pr_live_…) or a session.' },
  quota_exceeded: {
    detail: 'The daily quota of 100 sends is used up; it resets at 2026-11-22T00:00:00.000Z.',
  },
  insufficient_scope: { detail: 'This API key does not have the scope emails:send.' },
  session_required: {
    detail: 'API keys cannot use this operation; log in (POST /api/v1/auth/login) and send the session’s cookie.',
  },
  csrf: {
    detail: 'A change by session needs the header X-CSRF-Token with the csrf_token of GET /api/v1/auth/session.',
  },
  forbidden: { detail: 'The operator has suspended this workspace; it cannot send.' },
  not_found: { detail: 'There is no such record in this workspace.' },
  method_not_allowed: { detail: 'This path supports GET, HEAD, POST.' },
  idempotency_in_flight: { detail: 'The first request with this Idempotency-Key is still running.' },
  conflict: { detail: 'The current state does not allow this.' },
  too_large: { detail: 'The body is over this request’s limit of 15 MiB; send a smaller one.' },
  unsupported_media_type: {
    detail: 'The request has no Content-Type; send a JSON object with Content-Type: application/json.',
  },
  validation_failed: withError('to: Must be an array, not a string; write ["user@example.com"].', {
    path: 'to',
    code: 'wrong_type',
    message: 'Must be an array, not a string; write ["user@example.com"].',
  }),
  idempotency_mismatch: { detail: 'This Idempotency-Key was used with a different body; use a new key.' },
  rate_limited: {
    detail: 'This key may make 10 such requests per second and 20 at once; wait for the time in Retry-After.',
  },
  internal: {
    detail:
      'The service failed because of a bug; it is logged under this request id. Send the operator the id if it happens again.',
  },
  unavailable: { detail: 'Too many requests are in progress; this one was not accepted. Try again in a second.' },
}
