import assert from 'node:assert/strict'
import { anEmail } from '../../../test/support/anEmail.ts'
import { inOneStep } from '../../../test/support/inOneStep.ts'
import type { Content } from './email.ts'
import { queuedBytes, storedBytesSteps } from './storedBytes.ts'

const storedBytes = inOneStep(storedBytesSteps)

// Waiting test mail was counted by the bound of its message: a text of 700 KB as 9.1 MB.
describe('bytes that a store needs for an email', () => {
  const bare: Content = { html: null, text: null, headers: {}, attachments: [] }
  const size = (over: Partial<Content>, email = anEmail()): number =>
    storedBytes(email, { ...bare, ...over }) - storedBytes(anEmail(), bare)

  const attachment = { filename: 'a', contentType: 'text/plain', contentId: null, content: Buffer.alloc(90_000) }
  const table: [name: string, added: number, bytes: number][] = [
    ['a text', size({ text: 'x'.repeat(700_000) }), 700_000],
    ['an HTML body', size({ html: 'é€x'.repeat(100_000) }), 600_000],
    ['both', size({ html: 'h'.repeat(70_000), text: 't' }), 70_001],
    ['attachments', size({ attachments: [attachment, attachment] }), 180_000],
    ['headers', size({ headers: { 'X-A': 'ü' } }), 5],
    ['labels', size({}, anEmail({ tags: { a: 'bc' }, metadata: { d: 'ef' } })), 6],
    ['a subject', size({}, anEmail({ subject: `${anEmail().subject}xyz` })), 3],
  ]
  for (const [name, added, bytes] of table) it(`are those of ${name}`, () => assert.equal(added, bytes))

  it('are some KiB for the record of a short email', () => {
    const bytes = storedBytes(anEmail(), bare)
    assert.ok(bytes > 1_024 && bytes < 8_192, `${bytes}`)
  })

  it('count in the queue, and for mail of earlier releases the bound of its message', () => {
    assert.equal(queuedBytes({ storedBytes: 5, messageBytes: 100 }), 5)
    assert.equal(queuedBytes({ messageBytes: 100 }), 100)
    assert.equal(queuedBytes({}), 0)
  })
})
