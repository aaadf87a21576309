import { eventRecord } from '@postrider/contracts/http/event.ts'
import { exampleEvent } from '@postrider/contracts/http/eventExamples.ts'
import { recipientStatuses } from '@postrider/domain/email/status.ts'
import { explanation } from './explanation.ts'
import {
  acceptedAt,
  deliveredAt,
  emailId,
  exampleOf,
  list,
  type OperationExamples,
  reply,
  sender,
  templateId,
} from './parts.ts'

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
  retention: null,
  content_removed_at: null,
  attachments_removed_at: null,
}

const erasure = {
  object: 'erasure',
  id: 'era_01jd7w3k5vf2ya4m9x0q8r6t1n',
  status: 'running',
  emails: 0,
  waiting: 0,
  created_at: acceptedAt,
  completed_at: null,
}

const testClock = {
  object: 'test_clock',
  now: '2026-11-23T20:00:00.000Z',
  ahead_ms: 115_200_000,
  status: 'ready',
  due_emails: 0,
  due_webhooks: 0,
}

const byKey = { type: 'request', actor: { type: 'key', id: 'key_01jd7w3k5vf2ya4m9x0q8r6t1n' } }

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
      cause: byKey,
    },
    {
      id: 'evt_2',
      type: 'email.delivered',
      timestamp: deliveredAt,
      sequence: 2,
      recipient: 'jane@example.com',
      reply,
      class: null,
      cause: { type: 'reply', attempt_id: 'att_01jd7w3k5vf2ya4m9x0q8r6t1n', code: 250, enhanced_code: '2.0.0' },
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
      cause: byKey,
    },
    {
      id: 'evt_2',
      type: 'email.canceled',
      timestamp: deliveredAt,
      sequence: 2,
      recipient: null,
      reply: null,
      class: null,
      cause: byKey,
    },
  ],
}

const rescheduled = {
  ...email,
  status: 'scheduled',
  scheduled_at: '2026-11-21T11:00:00.000Z',
  recipients: [
    {
      address: 'jane@example.com',
      kind: 'to',
      status: 'scheduled',
      class: null,
      reply: null,
      next_at: '2026-11-21T11:00:00.000Z',
    },
  ],
  attempts: [],
  events: [
    {
      id: 'evt_2',
      type: 'email.scheduled',
      timestamp: acceptedAt,
      sequence: 2,
      recipient: null,
      reply: null,
      class: null,
      cause: byKey,
    },
  ],
}

const latency = { count: 940, p50_ms: 1040, p95_ms: 2690, p99_ms: 8220 }
const destination = {
  group: 'example.com',
  accepted: 960,
  statuses: {
    ...Object.fromEntries(recipientStatuses.map((status) => [status, 0])),
    deferred: 4,
    delivered: 940,
    bounced: 16,
  },
  first_attempt: { ...latency, count: 960, p50_ms: 28.9, p95_ms: 129, p99_ms: 447 },
  delivery: latency,
}

const statistics = {
  object: 'email_stats',
  from: '2026-11-21T00:00:00.000Z',
  to: '2026-11-22T00:00:00.000Z',
  bucket: 'day',
  by: 'destination',
  mode: 'live',
  complete_until: '2026-11-22T08:00:00.000Z',
  data: [{ at: '2026-11-21T00:00:00.000Z', ...destination }],
  totals: [destination],
}

/** Examples of the operations on emails, their events and their erasure. */
export const emailExamples: Readonly<Record<string, OperationExamples>> = {
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
  sendBatch: {
    requests: exampleOf('Two messages', {
      messages: [
        { to: ['Jane Doe <jane@example.com>'], subject: 'Your invoice', text: 'Thank you!' },
        { to: ['joe@example.com'], subject: 'Your invoice', html: '<p>Thank you!</p>', tags: { team: 'billing' } },
      ],
    }),
    reply: { object: 'list', data: [email] },
  },
  listEmails: { reply: list({ ...email, status: 'delivered' }) },
  getEmail: { reply: delivered },
  validateEmail: {
    requests: exampleOf('A message whose recipient is suppressed', {
      to: ['suppressed@simulator.postrider.dev'],
      subject: 'Your invoice',
      text: 'Thank you!',
    }),
    reply: {
      object: 'validation',
      would_send: false,
      problems: [
        {
          code: 'suppressed',
          path: 'to[0]',
          message: 'suppressed@simulator.postrider.dev is suppressed and would get no mail; other recipients would.',
        },
      ],
    },
  },
  getEmailContent: {
    reply: {
      object: 'email_content',
      id: emailId,
      subject: 'Your invoice',
      html: '<p>Thank you!</p>',
      text: 'Thank you!',
      headers: { 'X-Order': '4711' },
      attachments: [{ filename: 'invoice.txt', content_type: 'text/plain', content_id: null, size: 10 }],
      attachments_removed_at: null,
    },
  },
  explainEmail: { reply: explanation },
  rescheduleEmail: { requests: exampleOf('In an hour', { scheduled_at: 'PT1H' }), reply: rescheduled },
  cancelEmail: { reply: canceled },
  resolveEmail: { requests: exampleOf('The message arrived', { as: 'delivered' }), reply: delivered },
  getTestClock: { reply: testClock },
  moveTestClock: {
    requests: {
      advance: { summary: 'Let 32 hours pass', value: { advance: 'PT32H' } },
      at: { summary: 'Go to a time', value: { at: '2026-11-23T20:00:00Z' } },
    },
    reply: testClock,
  },
  listEvents: {
    reply: {
      object: 'list',
      data: [eventRecord(exampleEvent('email.delivered')), eventRecord(exampleEvent('email.bounced'))],
      has_more: false,
      next_cursor: 'c29tZXdoZXJlIGluIHRoZSBmZWVk',
    },
  },
  readStats: {
    reply: statistics,
  },
  createErasure: {
    requests: exampleOf('A person asked for it', { address: 'jane@example.com' }),
    reply: erasure,
  },
  getErasure: { reply: { ...erasure, status: 'done', emails: 12, completed_at: deliveredAt } },
  getRetention: {
    reply: {
      object: 'retention_report',
      content_days: 30,
      record_days: 90,
      attachment_days: 3,
      steps: [
        { step: 'attachments', due: 0, due_since: null },
        { step: 'content', due: 118, due_since: acceptedAt },
      ],
    },
  },
}
