import assert from 'node:assert/strict'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { KeyClaim, KeyNoticeStore } from '@postrider/ports/keyNotices.ts'
import { aColleague, dayMs, testRig } from './testRig.ts'
import { openUnusedKeys } from './unusedKeys.ts'

type Rig = ReturnType<typeof testRig>

/** Hands out the same claims at every poll until they are marked. */
const noticesFor = (claims: readonly KeyClaim[]): KeyNoticeStore & { marked: string[] } => {
  const marked: string[] = []
  const polls = { claimed: false }
  return {
    marked,
    claimUnusedKeys: async () => {
      polls.claimed = !polls.claimed
      return polls.claimed ? claims.filter(({ id }) => !marked.includes(id)) : []
    },
    markReported: async ({ id }) => {
      marked.push(id)
      return true
    },
  }
}

const log = { info: () => {}, warn: () => {}, error: () => {} }

const opened = (rig: Rig, notices: KeyNoticeStore, send: (message: SystemMessage) => Promise<void>) =>
  openUnusedKeys({ accounts: rig.store, notices, mail: { send }, now: rig.now, log })

const unusedKey = async (name = 'CI') => {
  const rig = testRig()
  const owner = await rig.owner()
  const { key } = await rig.createKey(owner, { name })
  const claim = { id: key.id, workspace: owner.workspace, until: 1 }
  rig.advance(90 * dayMs)
  return { rig, owner, key, claim }
}

describe('unused keys', () => {
  it('are reported to every owner and to no other member, once', async () => {
    const { rig, owner, key, claim } = await unusedKey('evil.example')
    const second = await aColleague(rig, owner, 'owner', 'bob@example.com')
    await aColleague(rig, owner, 'admin', 'carl@example.com')
    const [sent, notices] = [[] as SystemMessage[], noticesFor([claim])]
    await using unused = opened(rig, notices, async (message) => void sent.push(message))
    assert.equal(await unused.reportDue(), 1)
    assert.deepEqual(
      sent.map(({ to, idempotencyKey }) => [to, idempotencyKey]).toSorted(),
      [
        ['ada@example.com', `key_unused ${key.id} ${owner.user}`],
        ['bob@example.com', `key_unused ${key.id} ${second.user}`],
      ].toSorted(),
    )
    assert.match(sent[0]?.text ?? '', /never used/)
    assert.ok(!sent[0]?.text.includes('evil.example'), 'a name that reads as an address is left out')
    assert.deepEqual(notices.marked, [key.id])
    assert.equal(await unused.reportDue(), 0)
  })

  it('are not marked while intake is unavailable, and are reported with the same idempotency keys later', async () => {
    const { rig, claim } = await unusedKey()
    const [tried, notices] = [[] as string[], noticesFor([claim])]
    await using unused = opened(rig, notices, async ({ idempotencyKey }) => {
      tried.push(idempotencyKey)
      if (tried.length === 1) throw new Fault('unavailable', 'down')
    })
    await assert.rejects(unused.reportDue(), { code: 'unavailable' })
    assert.deepEqual(notices.marked, [])
    await unused.reportDue()
    await unused.reportDue()
    assert.deepEqual(notices.marked, [claim.id])
    assert.equal(new Set(tried).size, 1)
  })

  it('are marked if the mail is refused, or was accepted with a former name', async () => {
    for (const code of ['validation_failed', 'idempotency_mismatch'] as const) {
      const { rig, claim } = await unusedKey()
      const notices = noticesFor([claim])
      await using unused = opened(rig, notices, () => Promise.reject(new Fault(code, 'no')))
      await unused.reportDue()
      assert.deepEqual(notices.marked, [claim.id])
    }
  })

  it('are not reported if they were revoked or used since the claim', async () => {
    const { rig, owner, key, claim } = await unusedKey()
    await using unused = opened(rig, noticesFor([claim]), () => assert.fail('no mail'))
    await rig.store.touchKey(key.id, rig.now(), '')
    assert.equal(await unused.reportDue(), 0)
    const { key: other } = await rig.createKey(owner)
    rig.advance(90 * dayMs)
    await rig.service.RevokeKey({ workspace: owner.workspace, user: owner.user, id: other.id })
    await using revoked = opened(rig, noticesFor([{ ...claim, id: other.id }]), () => assert.fail('no mail'))
    assert.equal(await revoked.reportDue(), 0)
  })

  it('are reported even if the report of another key of the poll fails', async () => {
    const { rig, owner, key, claim } = await unusedKey()
    const notices = noticesFor([{ ...claim, id: key.id, until: 1 }, claim])
    let calls = 0
    await using unused = opened(rig, notices, async () => {
      calls += 1
      if (calls === 1) throw new Error('broken')
    })
    assert.equal(await unused.reportDue(), 1)
    assert.equal(calls, 2)
    assert.ok(owner.workspace)
  })
})
