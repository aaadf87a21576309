import assert from 'node:assert/strict'
import type { StagedBatch, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { removedAddress } from '@postrider/domain/retention/purge.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, reader, testIntake, withKey, workspace } from '../../test/support/testIntake.ts'
import type { SubmitDeps } from './acceptEmail.ts'
import { eraseRecipients } from './erasures.ts'
import { stagedRoom } from './stagedRoom.ts'
import { stageBatch, submitBatch } from './submitBatch.ts'

const operation = 'POST /api/v1/emails/batch'

const batch = (count: number, over: Partial<SubmitBatchRequest> = {}): SubmitBatchRequest => ({
  caller: caller(),
  staged: null,
  mails: Array.from({ length: count }, (_, number) => ({ number, mail: mail() })),
  refusals: [],
  count,
  isPermissive: false,
  idempotency: null,
  operation,
  requestId: 'req_1',
  ...over,
})

const refusalOf = (code: string) => ({ number: 0, code, detail: 'wrong', problems: [] })

const unavailable = () => Promise.reject(new Fault('unavailable', 'away'))
const isFault = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code

describe('submitBatch', () => {
  it('stores the emails, counts their recipients as one reservation, and rings once for each lane', async () => {
    await using system = await testIntake()
    const reply = await submitBatch(system.deps)(batch(3))
    const { data } = JSON.parse(reply.bodyJson) as { data: { id: string }[] }
    assert.deepEqual(
      system.rung,
      data.map(({ id }) => id),
    )
    assert.equal(await system.used(), 6)
    assert.deepEqual(await system.ledger.pending(noon + 1, 10), [])
  })

  it('releases the sends of one email of a batch, and only its own', async () => {
    await using system = await testIntake()
    const later = batch(3)
    for (const one of later.mails) one.mail = mail({ sendAt: { inMs: 3_600_000 } })
    const { data } = JSON.parse((await submitBatch(system.deps)(later)).bodyJson) as { data: { id: string }[] }
    const cancel = (id: string) => system.intake.CancelEmail({ reader: reader(), id })
    await cancel(data[1]?.id ?? '')
    await cancel(data[1]?.id ?? '')
    assert.equal(await system.used(), 4)
    await cancel(data[2]?.id ?? '')
    assert.equal(await system.used(), 2)
  })

  // A request that takes over starts with a new reservation: that of the earlier run must not be in its way.
  it('accepts a repeated batch that needs the whole quota after the first run died', async () => {
    await using system = await testIntake()
    await system.ledger.setAllowance(workspace, { monthly: 6 })
    const keyed = batch(3, withKey('k'))
    const dying = { ...system.emails, acceptBatch: unavailable }
    await assert.rejects(submitBatch({ ...system.deps, emails: dying })(keyed), isFault('unavailable'))
    assert.equal(await system.used(), 6)
    const reply = await submitBatch(system.deps)({ ...keyed, requestId: 'req_2' })
    assert.equal(reply.status, 202)
    assert.equal((await system.all()).length, 3)
    assert.equal(await system.used(), 6)
  })

  it('returns the accepted emails if the first run died after the acceptance', async () => {
    await using system = await testIntake()
    const keyed = batch(3, withKey('k'))
    const idempotency = { ...system.idempotency, finish: unavailable }
    await assert.rejects(submitBatch({ ...system.deps, idempotency })(keyed), isFault('unavailable'))
    const again = await submitBatch(system.deps)({ ...keyed, requestId: 'req_2' })
    const { data } = JSON.parse(again.bodyJson) as { data: { id: string }[] }
    assert.deepEqual(data.map(({ id }) => id).sort(), (await system.all()).map(({ email }) => email.id).sort())
    assert.equal(await system.used(), 6)
  })

  it('accepts nothing if a staged part is missing', async () => {
    await using system = await testIntake()
    const { mails } = batch(2)
    const { staged } = await stageBatch(system.deps)({ caller: caller(), staged: null, mails, requestId: 'req_1' })
    await assert.rejects(submitBatch(system.deps)(batch(0, { staged, count: 3 })), isFault('unavailable'))
    system.time.at += 120_000
    await system.sweep()
    assert.deepEqual(await system.all(), [])
    await assert.rejects(submitBatch(system.deps)(batch(0, { staged, count: 2 })), isFault('unavailable'))
  })

  // The acceptance of a batch with staged parts does not wait for the disk again.
  it('stages no part that is not on disk', async () => {
    await using system = await testIntake()
    const deps = { ...system.deps, durable: { synced: unavailable } }
    const part = { caller: caller(), staged: null, mails: batch(2).mails, requestId: 'req_1' }
    await assert.rejects(stageBatch(deps)(part), isFault('unavailable'))
  })

  it('stages no more than a workspace may have in batches that are not accepted', async () => {
    await using system = await testIntake()
    const staging = stagedRoom({ boundBytes: 2, lifeMs: 60_000, elapsed: () => 0 })
    const deps = { ...system.deps, staging }
    const stage = () => stageBatch(deps)({ caller: caller(), staged: null, mails: batch(2).mails, requestId: 'req_1' })
    const { staged } = await stage()
    await assert.rejects(stage(), isFault('rate_limited'))
    assert.equal((await submitBatch(deps)(batch(0, { staged, count: 2 }))).status, 202)
    await stage()
  })

  // Regression: the parts of a refused batch stayed stored, and counted against the room, for a minute.
  const refused: [name: string, code: string, over: Partial<SubmitBatchRequest>][] = [
    ['for the form of a message', 'validation_failed', { refusals: [refusalOf('validation_failed')] }],
    [
      'for the form of a message of a keyed batch',
      'validation_failed',
      {
        refusals: [refusalOf('validation_failed')],
        ...withKey('k'),
      },
    ],
    ['because a part is missing', 'unavailable', { count: 3 }],
    ['for the quota', 'quota_exceeded', {}],
    ['for the quota, with a key', 'quota_exceeded', withKey('k')],
  ]
  for (const [name, code, over] of refused)
    it(`removes the parts of a batch that is refused ${name}, and frees their room immediately`, async () => {
      await using system = await testIntake()
      await system.ledger.setAllowance(workspace, { monthly: code === 'quota_exceeded' ? 3 : 100 })
      const { deps, stage, rows } = staging(system)
      const { staged } = await stage()
      assert.deepEqual(rows(), [2, 2])
      await assert.rejects(submitBatch(deps)(batch(0, { staged, count: 2, ...over })), isFault(code))
      assert.deepEqual(rows(), [0, 0])
      await stage()
    })

  it('removes the former parts of a batch if a later one is refused', async () => {
    await using system = await testIntake()
    const { deps, stage, rows } = staging(system)
    const { staged } = await stage()
    const further = { caller: caller(), staged, mails: batch(2).mails, requestId: 'req_1' }
    await assert.rejects(stageBatch(deps)(further), isFault('rate_limited'))
    assert.deepEqual(rows(), [0, 0])
    await stage()
  })

  it('removes the parts of a batch that is repeated during the first run, and those of a run that died', async () => {
    await using system = await testIntake()
    const { deps, stage, rows, released } = staging(system, 2 ** 20)
    const [first, second, third] = [await stage(), await stage(), await stage()]
    const repeated = (staged: StagedBatch, requestId: string) =>
      batch(0, { staged, count: 2, requestId, ...withKey('k') })
    const acceptBatch: SubmitDeps['emails']['acceptBatch'] = async () => {
      await assert.rejects(submitBatch(deps)(repeated(second.staged, 'req_2')), isFault('idempotency_in_flight'))
      assert.deepEqual(rows(), [4, 4])
      throw new Fault('unavailable', 'away')
    }
    const dying = { ...deps, emails: { ...deps.emails, acceptBatch, discardBatch: unavailable } }
    await assert.rejects(submitBatch(dying)(repeated(first.staged, 'req_1')), isFault('unavailable'))
    assert.deepEqual(rows(), [4, 4])
    assert.equal((await submitBatch(deps)(repeated(third.staged, 'req_3'))).status, 202)
    assert.deepEqual(rows(), [0, 2])
    assert.equal((await system.all()).length, 2)
    assert.deepEqual(
      released,
      [second, first, third].map(({ staged }) => staged.id),
    )
  })

  it('removes the parts that were staged before the first run stored its response', async () => {
    await using system = await testIntake()
    const { deps, stage, rows } = staging(system, 2 ** 20)
    const [first, second] = [await stage(), await stage()]
    const send = ({ staged }: { staged: StagedBatch }) =>
      submitBatch(deps)(batch(0, { staged, count: 2, ...withKey('k') }))
    const { bodyJson } = await send(first)
    const again = await send(second)
    assert.deepEqual([again.replayed, again.bodyJson], [true, bodyJson])
    assert.deepEqual(rows(), [0, 2])
  })

  it('leaves the parts of a refused batch to the sweep if the store is unavailable', async () => {
    await using system = await testIntake()
    const { deps, stage, rows } = staging(system)
    const { staged } = await stage()
    let discards = 0
    const discardBatch = async () => {
      discards += 1
      return unavailable()
    }
    const refuse = (over: Partial<SubmitDeps['emails']>, count: number) =>
      submitBatch({ ...deps, emails: { ...deps.emails, discardBatch, ...over } })(batch(0, { staged, count }))
    await assert.rejects(refuse({}, 3), isFault('unavailable'))
    await assert.rejects(refuse({ batch: unavailable }, 2), isFault('unavailable'))
    assert.deepEqual([discards, rows()], [1, [2, 2]])
    await assert.rejects(stage(), isFault('rate_limited'))
    system.time.at += 60_000
    await system.sweep()
    assert.deepEqual(rows(), [0, 0])
  })

  // Regression: a repeated batch was refused before its key was read, and each repetition used some of the room.
  it('replays the response to a repeated batch although nothing more may be staged, and stages nothing of it', async () => {
    await using system = await testIntake()
    const staging = stagedRoom({ boundBytes: 2, lifeMs: 60_000, elapsed: () => 0 })
    const deps = { ...system.deps, staging }
    const { mails } = batch(2)
    const stage = (key: string) =>
      stageBatch(deps)({ caller: caller(), staged: null, mails, requestId: 'req_1', keyed: { key, operation } })
    const send = async (key: string, over: Partial<SubmitBatchRequest> = {}) => {
      const { staged, refusals } = await stage(key)
      return {
        staged,
        reply: await submitBatch(deps)(batch(0, { staged, refusals, count: 2, ...withKey(key), ...over })),
      }
    }
    const first = await send('k')
    for (const _ of ['second', 'third']) {
      const { staged, reply } = await send('k')
      assert.deepEqual([reply.replayed, reply.bodyJson], [true, first.reply.bodyJson])
      assert.equal(await deps.emails.batch(staged.id), null)
    }
    await stage('other')
    await assert.rejects(stage('another'), isFault('rate_limited'))
    assert.equal((await send('k')).reply.replayed, true)
    await assert.rejects(send('k', withKey('k', 'other body')), isFault('idempotency_mismatch'))
    assert.equal((await system.all()).length, 2)
  })

  it('replays the response to a repeated batch whose staged parts would be refused by now', async () => {
    await using system = await testIntake()
    const { mails } = batch(2)
    for (const one of mails) one.mail = mail({ sendAt: { at: noon + 3_600_000 } })
    const stage = () => stageBatch(system.deps)({ caller: caller(), staged: null, mails, requestId: 'req_1' })
    const send = async (key: string) => {
      const { staged, refusals } = await stage()
      return submitBatch(system.deps)(batch(0, { staged, refusals, count: 2, ...withKey(key) }))
    }
    const first = await send('k')
    system.time.at += 2 * 3_600_000
    const again = await send('k')
    assert.deepEqual([again.replayed, again.bodyJson], [true, first.bodyJson])
    for (const _ of ['first', 'again']) await assert.rejects(send('other'), isFault('validation_failed'))
  })

  it('admits all messages to the queue or none', async () => {
    await using system = await testIntake()
    const left: boolean[] = []
    let room = 2
    const enter = async () => {
      if (room === 0) throw new Fault('rate_limited', 'full')
      room -= 1
      return (isAccepted: boolean) => void left.push(isAccepted)
    }
    const keyed = batch(3, withKey('k'))
    await assert.rejects(submitBatch({ ...system.deps, queue: { enter } })(keyed), isFault('rate_limited'))
    assert.deepEqual(left, [false, false])
    assert.equal((await submitBatch(system.deps)({ ...keyed, ...withKey('k', 'another') })).status, 202)
  })

  it('erases a recipient from the stored response of a batch, and keeps the other recipients', async () => {
    await using system = await testIntake()
    const keyed = batch(2, withKey('k'))
    const to = (address: string) => mail({ to: [{ name: '', address }], sendAt: { inMs: 3_600_000 } })
    keyed.mails = [to('gone@example.com'), to('stays@example.com')].map((one, number) => ({ number, mail: one }))
    const { data } = JSON.parse((await submitBatch(system.deps)(keyed)).bodyJson) as { data: { id: string }[] }
    await system.intake.CancelEmail({ reader: reader(), id: data[0]?.id ?? '' })
    const request = { workspace, address: 'gone@example.com', actor: 'usr_1', client_address: '' }
    await system.intake.CreateErasure(request)
    await eraseRecipients(system.sweepDeps, system.time.at)
    const { bodyJson, replayed } = await submitBatch(system.deps)({ ...keyed, requestId: 'req_2' })
    assert.equal(replayed, true)
    assert.ok(!bodyJson.includes('gone@example.com'), bodyJson)
    assert.ok(bodyJson.includes('stays@example.com'))
    assert.equal((JSON.parse(bodyJson) as { data: unknown[] }).data.length, 2)
  })

  // The stored response kept the address of a refused recipient, whom no email has.
  for (const [name, isAnswered] of [
    ['a stored response', true],
    ['the results of a batch whose response was not stored', false],
  ] as const)
    it(`erases a refused recipient from ${name}, and a repeated request gets the same results as before`, async () => {
      await using system = await testIntake()
      const limited = caller({ recipients: ['stays@example.com', 'inside.example'] })
      const to = (...all: string[]) => mail({ to: all.map((address) => ({ name: '', address })) })
      const mails = [to('stays@example.com'), to('a@inside.example', 'Gone@example.com', 'be.gone@example.com')]
      const keyed = batch(2, { ...withKey('k'), isPermissive: true, caller: limited })
      keyed.mails = mails.map((one, number) => ({ number, mail: one }))
      const finish = async () => {
        if (!isAnswered) throw new Fault('unavailable', 'away')
      }
      const first = submitBatch(isAnswered ? system.deps : withFinish(system.deps, finish))(keyed)
      const reply = await first.catch(() => null)
      assert.equal(reply !== null, isAnswered)
      await system.intake.CreateErasure({ workspace, address: 'gone@example.com', actor: 'usr_1', client_address: '' })
      await eraseRecipients(system.sweepDeps, system.time.at)
      const stored = ['idempotency_keys', 'batches'].flatMap((table) =>
        system.db.prepare(`SELECT * FROM ${table}`).all(),
      )
      assert.doesNotMatch(JSON.stringify(stored), /[^.]gone@/i)
      const repeated = await submitBatch(system.deps)({ ...keyed, requestId: 'req_2' })
      // An erasure stores the response of a request that has not stored it.
      assert.deepEqual([repeated.status, repeated.replayed], [202, true])
      const { data } = JSON.parse(repeated.bodyJson) as { data: { email?: { to: string[] }; error?: Errors }[] }
      assert.deepEqual(data[0]?.email?.to, ['stays@example.com'])
      assert.deepEqual(
        data[1]?.error?.errors.map(({ path, message }) => `${path} ${message.slice(0, 53)}`),
        [
          'to[1] This API key may not send to removed@removed.invalid;',
          'to[2] This API key may not send to be.gone@example.com; use',
        ],
      )
      if (reply !== null) assert.equal(repeated.bodyJson, reply.bodyJson.replaceAll('Gone@example.com', removedAddress))
    })
})

/** Returns intake with a room for the bytes of two staged messages, or for more, and what counts the stored parts. */
const staging = (system: Awaited<ReturnType<typeof testIntake>>, boundBytes = 2) => {
  const room = stagedRoom({ boundBytes, lifeMs: 60_000, elapsed: () => 0 })
  const released: string[] = []
  const release = (id: string): void => {
    released.push(id)
    room.release(id)
  }
  const deps = { ...system.deps, staging: { ...room, release } }
  const count = (table: string) => Number(system.db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
  return {
    deps,
    /** Batches whose count was ended. */
    released,
    stage: () => stageBatch(deps)({ caller: caller(), staged: null, mails: batch(2).mails, requestId: 'req_1' }),
    /** Returns the numbers of staged emails and of contents in parts. */
    rows: () => [count('batch_emails'), count('content_parts')],
  }
}

type Errors = { errors: { path: string; message: string }[] }

const withFinish = (deps: SubmitDeps, finish: SubmitDeps['idempotency']['finish']): SubmitDeps => ({
  ...deps,
  idempotency: { ...deps.idempotency, finish },
})
