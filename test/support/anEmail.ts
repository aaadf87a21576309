import type { Attempt, Email, Recipient } from '@postrider/domain/email/email.ts'

/** Returns a recipient that waits for its first attempt; `over` replaces fields. */
export const aRecipient = (over: Partial<Recipient> = {}): Recipient => ({
  name: '',
  address: 'ann@example.com',
  kind: 'to',
  status: 'queued',
  class: null,
  reply: null,
  nextAt: 0,
  tries: 0,
  ...over,
})

/** Returns an attempt that has begun; `over` replaces fields. */
export const anAttempt = (over: Partial<Attempt> = {}): Attempt => ({
  id: 'att_1',
  at: 0,
  host: '',
  recipients: [0],
  outcome: null,
  reply: null,
  possibleDuplicate: false,
  committed: null,
  steps: [],
  ...over,
})

/** Returns an accepted email to one recipient, due at time 0; `over` replaces fields. */
export const anEmail = (over: Partial<Email> = {}): Email => ({
  id: 'em_01m7yr6cabfzvahf8pz72f0kb4',
  workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb4',
  mode: 'live',
  keyId: 'key_01m7yr6cabfzvahf8pz72f0kb4',
  requestId: 'req_1',
  category: 'transactional',
  topic: null,
  createdAt: 0,
  scheduledAt: null,
  expiresAt: null,
  onUnknown: 'retry',
  from: { name: '', address: 'mail@postrider.test' },
  envelopeFrom: 'mail@postrider.test',
  replyTo: [],
  subject: 'Hello',
  templateId: null,
  templateVersion: null,
  domainId: null,
  tags: {},
  metadata: {},
  messageId: '<em_01m7yr6cabfzvahf8pz72f0kb4@postrider.test>',
  notices: [],
  recipients: [aRecipient()],
  attempts: [],
  events: [],
  owed: [],
  counted: true,
  ...over,
})
