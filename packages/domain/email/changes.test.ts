import assert from 'node:assert/strict'
import { type parseTypeId, toUUIDBytes } from 'typeid-js'
import { anEmail } from '../../../test/support/anEmail.ts'
import { type EventDraft, withEvents } from './changes.ts'
import type { Email } from './email.ts'

const at = 1_790_000_000_000
const drafts = (count: number): EventDraft[] =>
  Array.from({ length: count }, () => ({ type: 'email.deferred', recipient: 0 }))
const idsOf = ({ events }: Email): string[] => events.map(({ id }) => id)

describe('email events', () => {
  it('continue the sequence of the email', () => {
    const email = withEvents(withEvents(anEmail(), at, drafts(2)), at + 1, drafts(1))
    assert.deepEqual(
      email.events.map(({ sequence, at: time }) => [sequence, time]),
      [
        [1, at],
        [2, at],
        [3, at + 1],
      ],
    )
  })

  it('have ids that depend on the email, the sequence and the time only', () => {
    const email = withEvents(anEmail(), at, drafts(3))
    assert.deepEqual(idsOf(withEvents(anEmail(), at, drafts(3))), idsOf(email))
    const others = [
      withEvents(anEmail({ id: 'em_01m7yr6cabfzvahf8pz72f0kb5' }), at, drafts(3)),
      withEvents(anEmail(), at + 1, drafts(3)),
    ]
    assert.equal(new Set([email, ...others].flatMap(idsOf)).size, 9)
  })

  it('have ids that sort by time, then by sequence', () => {
    const email = withEvents(withEvents(anEmail(), at, drafts(9_000)), at + 5, drafts(3))
    assert.deepEqual(idsOf(email).toSorted(), idsOf(email))
    assert.equal(new Set(idsOf(email)).size, 9_003)
  })

  it('have ids that are TypeIDs of a UUIDv7 with the time of the event', () => {
    for (const id of idsOf(withEvents(anEmail(), at, drafts(4_095)))) {
      assert.match(id, /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      const bytes = Buffer.from(toUUIDBytes(id as Parameters<typeof parseTypeId>[0]))
      assert.equal(bytes.readUIntBE(0, 6), at)
      assert.equal(bytes.readUInt8(6) >> 4, 7, 'version')
      assert.equal(bytes.readUInt8(8) >> 6, 2, 'variant')
    }
  })
})
