import assert from 'node:assert/strict'
import type { Lease } from '@postrider/domain/idempotency/claim.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { keyLeases } from './keyLeases.ts'

const request = (key: string) => ({
  scope: 'ws_1 live POST /emails',
  key,
  fingerprint: Uint8Array.of(1),
  emailId: 'em_1',
  at: 1_000,
  leaseMs: 30_000,
  requestId: `req_${key}`,
})

/** Leases over a store that is available or not. A pause of the background work ends when `turn` is called. */
const rig = () => {
  const state = { now: 1_000, isAway: false, isCommitLost: false }
  const ended: string[] = []
  let tries = 0
  let resume = (): void => {}
  const whileAvailable = (): void => {
    if (state.isAway) throw new Fault('unavailable', 'away')
  }
  const leases = keyLeases({
    idempotency: {
      claim: async ({ emailId, at, leaseMs }) => {
        whileAvailable()
        return { kind: 'claimed', emailId, acceptedAt: at, takenOver: false, leaseUntil: at + leaseMs }
      },
      endLease: async ({ key }: Lease) => {
        tries++
        whileAvailable()
        ended.push(key)
      },
    },
    durable: {
      synced: async () => {
        if (state.isCommitLost) throw new Fault('unavailable', 'the commit failed')
      },
    },
    now: () => state.now,
    pause: (_, signal) =>
      new Promise<void>((resolve) => {
        resume = resolve
        signal.addEventListener('abort', () => resolve())
      }),
  })
  /** Lets the background work try once more, until it pauses again or ends. */
  const turn = async (): Promise<void> => {
    resume()
    for (let n = 0; n < 50; n++) await Promise.resolve()
  }
  const claim = async (key: string) => (await leases.claim(request(key))).leased ?? assert.fail('no claim')
  return { state, ended, leases, claim, turn, tries: () => tries }
}

describe('leases of idempotency keys', () => {
  it('ends the lease before the response', async () => {
    const { claim, ended } = rig()
    await (await claim('a')).end()
    assert.deepEqual(ended, ['a'])
  })

  it('ends no lease of a finished request', async () => {
    const { claim, ended, leases } = rig()
    const leased = await claim('a')
    leased.done()
    await leases[Symbol.asyncDispose]()
    assert.deepEqual(ended, [])
  })

  it('repeats the end until the store is available', async () => {
    const { claim, ended, state, turn, tries } = rig()
    const leased = await claim('a')
    state.isAway = true
    await leased.end()
    await turn()
    await turn()
    assert.deepEqual([ended, tries() > 1], [[], true])
    state.isAway = false
    await turn()
    assert.deepEqual(ended, ['a'])
    const done = tries()
    await turn()
    assert.equal(tries(), done)
  })

  it('repeats the end whose commit was lost', async () => {
    const { claim, ended, state, turn } = rig()
    const leased = await claim('a')
    state.isCommitLost = true
    await leased.end()
    state.isCommitLost = false
    await turn()
    assert.deepEqual(ended.at(-1), 'a')
  })

  it('ends the lease of a claim that threw, because the store may have executed it', async () => {
    const { leases, ended, state, turn } = rig()
    state.isAway = true
    await assert.rejects(leases.claim(request('a')), { code: 'unavailable' })
    state.isAway = false
    await turn()
    await turn()
    assert.deepEqual(ended, ['a'])
  })

  it('ends an earlier lease of the key before it claims the key', async () => {
    const { claim, ended, state } = rig()
    const leased = await claim('a')
    state.isAway = true
    await leased.end()
    state.isAway = false
    await claim('a')
    assert.deepEqual(ended, ['a'])
  })

  it('does not end a lease that is over', async () => {
    const { claim, ended, state, turn, tries } = rig()
    const leased = await claim('a')
    state.isAway = true
    await leased.end()
    state.isAway = false
    state.now = 31_000
    await turn()
    await turn()
    const done = tries()
    await turn()
    assert.deepEqual([ended, tries()], [[], done])
  })

  it('ends the leases of running and waiting requests when the process stops', async () => {
    const { claim, ended, leases, state } = rig()
    const waiting = await claim('waiting')
    await claim('running')
    state.isAway = true
    await waiting.end()
    state.isAway = false
    await leases[Symbol.asyncDispose]()
    assert.deepEqual(ended.toSorted(), ['running', 'waiting'])
  })

  it('stops although the store is unavailable', async () => {
    const { claim, leases, state, turn, tries } = rig()
    await claim('a')
    state.isAway = true
    await leases[Symbol.asyncDispose]()
    const done = tries()
    await turn()
    assert.equal(tries(), done)
  })
})
