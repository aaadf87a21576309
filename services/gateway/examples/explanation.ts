import { emailId } from './parts.ts'

const operatorRoute = {
  name: 'smtp',
  reason: 'operator_route',
  detail: 'The mail route of the operator carries live mail.',
}

const full = '452 4.2.2 The mailbox is full'

const fullRule = {
  id: 'mailbox_full',
  source: 'RFC 3463 §3.3, X.2.2: a persistent transient failure; Sisimai, mailboxfull',
  changed: null,
}

const nextTry = {
  at: '2026-11-21T10:05:10.000Z',
  reason: 'retry',
  detail: `Try 2 of 9 of the retry schedule. The last one: ${full}`,
}

/** Explanation of an email: one attempt, refused because the mailbox is full. */
export const explanation = {
  object: 'email_explanation',
  id: emailId,
  status: 'deferred',
  route: operatorRoute,
  next_attempt: nextTry,
  expires_at: null,
  recipients: [
    {
      address: 'jane@example.com',
      kind: 'to',
      status: 'deferred',
      route: operatorRoute,
      class: 'full',
      rule: fullRule,
      reply: full,
      tries: 1,
      next_attempt: nextTry,
    },
  ],
  attempts: [
    {
      id: 'att_01jd7w3k5vf2ya4m9x0q8r6t1n',
      at: '2026-11-21T10:00:00.120Z',
      duration_ms: 72,
      route: operatorRoute,
      mx: null,
      host: 'smtp.example.com:25',
      address: '192.0.2.25',
      connection_reused: false,
      encrypted: true,
      tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', verified: true, problem: null },
      tls_failure: null,
      recipients: ['jane@example.com'],
      outcome: 'deferred',
      reply: full,
      possible_duplicate: false,
      timings: {
        wait_ms: null,
        connect_ms: 12,
        tls_ms: 24,
        session_ms: 18,
        envelope_ms: 17,
        body_ms: null,
        gate_ms: null,
        final_dot_ms: null,
      },
      conversation: [{ name: 'RCPT', command: 'RCPT TO:<jane@example.com>', reply: full, duration_ms: 17 }],
      refusals: [{ recipients: ['jane@example.com'], class: 'full', phase: 'rcpt', rule: fullRule }],
    },
  ],
}
