import assert from 'node:assert/strict'
import { platformWorkspace } from '../domains/domain.ts'
import { capturedNotice } from '../email/conversation.ts'
import type { Email, Recipient } from '../email/email.ts'
import {
  adoptedPurge,
  decidePurge,
  dueFrom,
  firstPurge,
  recordPurge,
  removedAddress,
  withoutAddressIn,
  withoutShortLived,
} from './purge.ts'
import { defaultRetention, parseRetention, retentionLimits, retentionProblems, retentionText } from './retention.ts'

const day = 86_400_000
const start = Date.UTC(2026, 1, 1)

const recipient = (over: Partial<Recipient> = {}): Recipient => ({
  name: 'Ann',
  address: 'ann@example.com',
  kind: 'to',
  status: 'delivered',
  class: null,
  reply: '250 ok ann@example.com',
  nextAt: null,
  tries: 0,
  ...over,
})

const email = (over: Partial<Email> = {}): Email => ({
  id: 'em_1',
  workspace: 'ws_1',
  mode: 'live',
  keyId: 'key_1',
  requestId: 'req_1',
  category: 'transactional',
  topic: null,
  createdAt: start,
  scheduledAt: null,
  expiresAt: null,
  onUnknown: 'retry',
  from: { name: 'Ada', address: 'ada@postrider.example' },
  envelopeFrom: 'ada@postrider.example',
  replyTo: [{ name: '', address: 'bob@example.com' }],
  subject: 'Code 123',
  templateId: null,
  templateVersion: null,
  domainId: null,
  tags: { team: 'a' },
  metadata: { order: '7' },
  messageId: '<1@postrider.example>',
  notices: [],
  recipients: [recipient()],
  attempts: [],
  events: [{ id: 'evt_1', sequence: 1, type: 'email.delivered', at: start + 1_000, recipient: 0, reply: '250 ann' }],
  owed: [],
  counted: true,
  ...over,
})

describe('the removal of a record after its content', () => {
  // docs/contract.md: retention uses the real time. `scheduledAt` is by the test clock.
  it('counts from the time at which the store had the mail sent, although its test clock was moved', () => {
    const clocked = { scheduledAt: start + 40 * day, clock: { accepted: 0, offset: 38 * day } }
    assert.deepEqual(recordPurge(email({ mode: 'test', ...clocked })), { step: 'record', from: start + 2 * day })
    const late = { scheduledAt: start + 40 * day, clock: { accepted: 0, offset: 60 * day } }
    assert.deepEqual(recordPurge(email({ mode: 'test', ...late })), { step: 'record', from: start })
  })
})

const decided = (one: Email, step: string, now: number, leaseUntil: number | null = null) => {
  const decision = decidePurge({ email: one, leaseUntil }, step, now, defaultRetention)
  if (decision.kind === 'postpone') return ['postpone', decision.purge] as const
  return [decision.removal, decision.removal === 'record' ? null : decision.purge] as const
}

describe('a retention', () => {
  for (const [text, value] of [
    ['none', 'none'],
    ['metadata', 'metadata'],
    ['1', 1],
    ['30', 30],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['01', null],
    ['', null],
    ['forever', null],
    ['12345', null],
  ] as const)
    it(`"${text}" is read as ${value}`, () => assert.equal(parseRetention(text), value))

  it('is stored as the text that it is read from', () => {
    for (const text of ['none', 'metadata', '30', '']) assert.equal(retentionText(parseRetention(text)), text)
  })

  it('has at most the days of the installation', () => {
    assert.deepEqual(retentionProblems(30, defaultRetention), [])
    assert.deepEqual(retentionProblems(null, defaultRetention), [])
    assert.equal(retentionProblems(31, defaultRetention)[0]?.path, 'retention')
  })

  it('keeps records at least as long as content', () => {
    const days = { CONTENT: 40, RECORD: 10, ATTACHMENT: 3 }
    const limits = retentionLimits({
      POSTRIDER_RETENTION_CONTENT_DAYS: days.CONTENT,
      POSTRIDER_RETENTION_RECORD_DAYS: days.RECORD,
      POSTRIDER_RETENTION_ATTACHMENT_DAYS: days.ATTACHMENT,
    })
    assert.deepEqual(limits, { contentMs: 40 * day, recordMs: 40 * day, attachmentsMs: 3 * day })
  })
})

describe('the removal of mail', () => {
  it('goes through attachments, content and record', () => {
    assert.deepEqual(firstPurge(email(), true), { step: 'attachments', from: start })
    assert.deepEqual(decided(email(), 'attachments', start + 4 * day), [
      'attachments',
      { step: 'content', from: start },
    ])
    assert.deepEqual(decided(email(), 'content', start + 30 * day), ['content', { step: 'record', from: start }])
    assert.deepEqual(decided(email(), 'record', start + 90 * day), ['record', null])
  })

  it('removes the record of a void id', () => {
    const decision = decidePurge({ email: null, leaseUntil: null }, 'record', start, defaultRetention)
    assert.deepEqual(decision, { kind: 'remove', removal: 'record' })
  })

  it('removes the content with the attachments when both are due', () => {
    const one = email({ retention: 2 })
    assert.deepEqual(firstPurge(one, true), { step: 'attachments:2', from: start })
    assert.equal(decided(one, 'attachments:2', start + 2 * day)[0], 'content')
  })

  it('counts the days of attachments from the final status', () => {
    const late = email({
      events: [{ id: 'evt_1', sequence: 1, type: 'email.delivered', at: start + day, recipient: 0 }],
    })
    const found = decided(late, 'attachments', start + 3 * day)
    assert.deepEqual(found, ['postpone', { step: 'attachments', from: start + day }])
  })

  for (const status of ['scheduled', 'queued', 'sending', 'deferred', 'unknown'] as const)
    it(`waits while a recipient is ${status}`, () => {
      const open = email({ recipients: [recipient(), recipient({ status })] })
      for (const step of ['attachments', 'content', 'record']) {
        const [kind, purge] = decided(open, step, start + 100 * day)
        assert.equal(kind, 'postpone')
        assert.ok(purge && purge.from > dueFrom(step, start + 100 * day, defaultRetention))
      }
    })

  it('waits while the email is leased or sends are owed', () => {
    assert.equal(decided(email(), 'record', start + 100 * day, 1)[0], 'postpone')
    assert.equal(decided(email({ owed: [0] }), 'record', start + 100 * day)[0], 'postpone')
  })

  it('retention `metadata` removes the content, not addresses and labels', () => {
    const decision = decidePurge(
      { email: email({ retention: 'metadata' }), leaseUntil: null },
      'final',
      start,
      defaultRetention,
    )
    assert.ok(decision.kind === 'remove' && decision.removal !== 'record')
    const { subject, recipients, tags, contentRemovedAt } = decision.email
    assert.deepEqual(
      [decision.removal, subject, recipients[0]?.address, tags, contentRemovedAt],
      ['content', '', 'ann@example.com', { team: 'a' }, start],
    )
  })

  it('retention `none` removes everything that names a person', () => {
    const decision = decidePurge(
      { email: email({ retention: 'none' }), leaseUntil: null },
      'final',
      start,
      defaultRetention,
    )
    assert.ok(decision.kind === 'remove' && decision.removal === 'personal')
    assert.doesNotMatch(JSON.stringify(decision.email), /ann|Ann|bob@|123|order/)
    assert.equal(decision.email.recipients[0]?.address, removedAddress)
    assert.equal(decision.email.recipients[0]?.status, 'delivered')
  })

  it('leaves the stored response of mail with the default retention as it is', () => {
    assert.deepEqual(withoutShortLived(email()), email())
    assert.equal(withoutShortLived(email({ retention: 7 })).subject, '')
    assert.equal(withoutShortLived(email({ retention: 7 })).recipients[0]?.address, 'ann@example.com')
  })
})

describe('the first step of a record of an earlier release', () => {
  it('follows from what is removed of the email already', () => {
    assert.equal(adoptedPurge(email(), start).step, 'attachments')
    assert.equal(adoptedPurge(email({ retention: 'none' }), start).step, 'final')
    assert.deepEqual(adoptedPurge(email({ contentRemovedAt: start }), start + day), { step: 'record', from: start })
  })

  it('removes a void id after the time of records from now on', () => {
    assert.deepEqual(adoptedPurge(null, start + day), { step: 'record', from: start + day })
  })
})

describe('system mail with a link', () => {
  const own = (over: Partial<Email> = {}) => email({ workspace: platformWorkspace, retention: 'none', ...over })
  const decide = (one: Email, step: string, at: number) =>
    decidePurge({ email: one, leaseUntil: null }, step, at, defaultRetention)

  it('loses its content when it is final', () => {
    const decided = decide(own(), 'final', start + 5_000)
    assert.equal(decided.kind === 'remove' && decided.removal, 'personal')
  })

  it('stays for a day where a person reads it in the mailbox', () => {
    const captured = own({ notices: [capturedNotice] })
    const decided = decide(captured, 'final', start + 5_000)
    assert.deepEqual(decided, { kind: 'postpone', purge: { step: 'content:1', from: start } })
    assert.equal(dueFrom('content:1', start + day, defaultRetention), start)
    const after = decide(captured, 'content:1', start + day)
    assert.equal(after.kind === 'remove' && after.removal, 'personal')
    const ofTenant = decide({ ...captured, workspace: 'ws_1' }, 'final', start + 5_000)
    assert.equal(ofTenant.kind, 'remove')
  })
})

describe('text without an erased address', () => {
  const cases: [text: string, wanted: string][] = [
    [
      'This key may not send to ann@example.com; use another.',
      `This key may not send to ${removedAddress}; use another.`,
    ],
    ['It is Ann@Example.COM.', `It is ${removedAddress}.`],
    ['“ann@example.com”, <ann@example.com>', `“${removedAddress}”, <${removedAddress}>`],
    ['template_vars.ann@example.com', 'template_vars.ann@example.com'],
    ['template_vars["ann@example.com"]', `template_vars["${removedAddress}"]`],
    [
      'joann@example.com jo.ann@example.com jo+ann@example.com',
      'joann@example.com jo.ann@example.com jo+ann@example.com',
    ],
    [
      'ann@example.com.au ann@example.community ann@example.com-x',
      'ann@example.com.au ann@example.community ann@example.com-x',
    ],
    ['annXexample.com ann@exampleXcom', 'annXexample.com ann@exampleXcom'],
  ]
  for (const [text, wanted] of cases)
    it(`is right for ${text}`, () => {
      assert.equal(withoutAddressIn('ann@example.com')(text), wanted)
    })

  it('treats the address as text and not as a pattern', () => {
    assert.equal(withoutAddressIn('a+(b|*)@example.com')('a+(b|*)@example.com'), removedAddress)
    assert.equal(
      withoutAddressIn('jürg@example.com')('jürg@example.com JÜRG@example.com'),
      `${removedAddress} ${removedAddress}`,
    )
  })
})
