import assert from 'node:assert/strict'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { inOneStep } from '../../../test/support/inOneStep.ts'
import type { Content, Email } from './email.ts'
import { maxBytesSteps, messageSteps } from './message.ts'

const maxBytes = inOneStep(maxBytesSteps)
const messageOf = inOneStep(messageSteps)

const content = (over: Partial<Content> = {}): Content => ({
  html: null,
  text: 'Hi',
  headers: {},
  attachments: [],
  ...over,
})

// Regression: the rough bound used to omit custom headers and most of a long name, so messages over the limit were
// accepted.
describe('size of a message', () => {
  const wide = '花'.repeat(998)
  const manyHeaders = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`X-Wide-${number}`, wide]))
  const longNames = Array.from({ length: 50 }, (_, number) =>
    aRecipient({ name: '花'.repeat(256), address: `r${number}@example.com` }),
  )
  const table: [name: string, email: Email, content: Content][] = [
    ['with custom headers', anEmail(), content({ headers: manyHeaders })],
    ['with long names', anEmail({ recipients: longNames }), content()],
    ['with quoted text', anEmail(), content({ text: 'ü'.repeat(50_000) })],
    ['with a wide subject', anEmail({ subject: wide }), content()],
    [
      'with attachments',
      anEmail(),
      content({
        attachments: [
          { filename: 'a.bin', contentType: 'application/x-a', contentId: null, content: Buffer.alloc(90_000) },
        ],
      }),
    ],
  ]
  for (const [name, email, parts] of table) {
    it(`is exact at the limit ${name}`, () => {
      const { length } = messageOf(email, parts)
      assert.equal(maxBytes(length, email, parts), length)
      assert.equal(maxBytes(length - 1, email, parts), length)
      assert.ok(maxBytes(Number.POSITIVE_INFINITY, email, parts) >= length)
    })
  }
})
