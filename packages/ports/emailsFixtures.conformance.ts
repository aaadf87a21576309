import assert from 'node:assert/strict'
import type { ClaimedEmail, Content, Email, Recipient } from '@postrider/domain/email/email.ts'
import { type EmailQuery, noFilter } from '@postrider/domain/email/filter.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from './emails.ts'

export const leaseMs = 30_000

export const recipient = (over: Partial<Recipient> = {}): Recipient => ({
  name: '',
  address: 'ann@example.com',
  kind: 'to',
  status: 'queued',
  class: null,
  reply: null,
  nextAt: 1_000,
  tries: 0,
  ...over,
})

export const email = (over: Partial<Email> = {}): Email => ({
  id: newId('em'),
  workspace: 'ws_1',
  mode: 'live',
  keyId: 'key_1',
  requestId: 'req_1',
  category: 'transactional',
  topic: null,
  createdAt: 1_000,
  scheduledAt: null,
  expiresAt: null,
  onUnknown: 'retry',
  from: { name: 'Ada', address: 'ada@postrider.example' },
  envelopeFrom: 'ada@postrider.example',
  replyTo: [],
  subject: 'Grüße "aus" Berlin',
  templateId: null,
  templateVersion: null,
  domainId: null,
  tags: {},
  metadata: {},
  messageId: '<1@postrider.example>',
  notices: [],
  recipients: [recipient()],
  attempts: [],
  events: [],
  owed: [],
  counted: true,
  ...over,
})

export const content: Content = {
  html: '<p>Grüße</p>',
  text: null,
  headers: { 'X-One': '1', 'X-Two': '2' },
  attachments: [
    { filename: 'a.bin', contentType: 'application/octet-stream', contentId: null, content: Uint8Array.of(0, 255, 10) },
    { filename: 'b.txt', contentType: 'text/plain', contentId: 'b', content: new Uint8Array() },
  ],
}

export const everything: EmailQuery = { ...noFilter, workspace: 'ws_1', limit: 10, now: 5_000 }

export const claimAt = (emails: EmailStore, now: number, limit = 10) =>
  emails.claim({ lane: 'transactional', now, limit, leaseMs })

/** Claims one email that must be due, and flattens the result. */
export const claimOne = async (emails: EmailStore, now: number) => {
  const [claimed] = await claimAt(emails, now)
  assert.ok(claimed, 'no email was due')
  return { id: claimed.email.id, fence: claimed.fence, deaths: claimed.deaths, email: claimed.email }
}

export type Open = () => EmailStore | Promise<EmailStore>

export const idsIn = (claimed: readonly ClaimedEmail[]): string[] => claimed.map(({ email }) => email.id)
