import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Tenant } from '../support/client.ts'
import { inParallel } from '../support/inParallel.ts'
import { sinkScript } from '../support/smtpSink.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { hangMs, until } from '../support/until.ts'
import { check, faultless } from './check.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'
import {
  evidence,
  markedMail,
  messagesOfClients,
  receivedCopies,
  sendOnce,
  sendUntilAccepted,
  untilDrained,
} from './recorder.ts'
import { openRig, type Rig } from './rig.ts'

const sends = shortOrLong(360, 10_000)
const kills = shortOrLong(6, 50)
const clients = 8

/** Sends every fourth mail once, and the others with a key until the response is 202. */
const sendOne = async (rig: Rig, tenant: Tenant, number: number): Promise<void> => {
  const testId = `kill-${number}`
  const recipients = Array.from({ length: 1 + (number % 3) }, (_, n) => `to${n}.${number}@receiver.example`)
  const mail = markedMail(testId, recipients)
  if (number % 4 === 0) return void (await sendOnce(rig, tenant, mail, null))
  await sendUntilAccepted(rig, tenant, mail, { everyMs: 20 })
}

/**
 * Provides the rig of all tests of the calling `describe`, because a start of the process costs more than a test, with
 * a tenant and empty records for each. `others` are the tenants of earlier tests. After a failure it opens another rig,
 * so that a failed test causes no failures of the following ones.
 */
const useRig = () => {
  const rigs = new AsyncDisposableStack()
  let rig: Rig | null = null
  let tenants: Tenant[] = []
  afterEach(function replaceAfterFailure() {
    if (this.currentTest?.state !== 'failed') return
    rig = null
    tenants = []
  })
  after(() => rigs.disposeAsync())
  return async () => {
    // A delayed reply makes it likely that a kill is between final dot and reply.
    const script = sinkScript([{ at: 'dot', every: 2, delayMs: 15 }])
    rig ??= rigs.use(await openRig({ sink: { script } }))
    rig.sink.reset()
    rig.journal.clear()
    const tenant = await rig.client.tenant()
    const others = [...tenants]
    tenants.push(tenant)
    return { rig, tenant, others }
  }
}

const isUnused = 'parts NOT IN (SELECT parts FROM contents WHERE parts IS NOT NULL)'

/** Waits until a part of content has no email yet, or `isOver`. */
const untilUnusedPart = async (path: string, isOver: () => boolean): Promise<void> => {
  using file = new DatabaseSync(path, { readOnly: true })
  const unused = file.prepare(`SELECT 1 FROM content_parts WHERE ${isUnused} LIMIT 1`)
  const check = () => isOver() || unused.get() !== undefined || undefined
  await until('a part of content has no email', check, hangMs, 1)
}

/** Counts parts of content without an email, and emails with content in parts: those without one, and all. */
const contentParts = (path: string): { unused: number; missing: number; emails: number } => {
  using file = new DatabaseSync(path, { readOnly: true })
  const counts = file.prepare(`
    SELECT
      (SELECT count(*) FROM content_parts WHERE ${isUnused}) AS unused,
      (SELECT count(*) FROM contents WHERE parts NOT IN (SELECT parts FROM content_parts)) AS missing,
      (SELECT count(*) FROM contents WHERE parts IS NOT NULL) AS emails`)
  return { ...counts.get() } as ReturnType<typeof contentParts>
}

describe('process killed at any moment (I1, I2, I8, I11)', () => {
  needsOwnProcess()
  const open = useRig()

  it(`loses no mail and repeats none without a mark in ${sends} sends with ${kills} kills`, async function () {
    this.timeout(shortOrLong(300_000, 1_800_000))
    const random = seeded(printedSeed())
    const { rig, tenant, others } = await open()
    const perLife = Math.ceil(sends / kills)
    for (let life = 0; life < kills; life++) {
      const turn = { from: life * perLife, to: (life + 1) * perLife }
      let sent = 0
      const sending = inParallel(clients, turn, async (number) => {
        await sendOne(rig, tenant, number)
        sent++
      })
      const before = random() * perLife * 0.8
      await until('some mail is sent', () => sent >= before || undefined)
      await rig.service().kill9()
      await rig.start()
      await sending
    }
    await untilDrained(tenant)
    const found = await evidence(rig, tenant, ...others)
    assert.deepEqual(check(found), faultless)
    const copies = found.copies.length
    const recipients = found.emails.reduce((sum, email) => sum + email.recipients.length, 0)
    process.stdout.write(
      `    ${found.emails.length} emails, ${recipients} recipients, ${copies - recipients} marked copies\n`,
    )
    assert.ok(found.emails.length >= sends * 0.75)
  })

  // Content over 256 KiB is stored in several commits, and a kill between two of them leaves parts without an email.
  it('delivers long mail whole, and removes the parts of content whose email was not stored', async () => {
    const { rig, tenant, others } = await open()
    const [lives, clients, lines] = [shortOrLong(2, 30), 6, 60_000]
    const text = 'long mail line\n'.repeat(lines)
    const path = join(rig.data, 'postrider.db')
    for (let life = 0; life < lives; life++) {
      const turn = { from: life * clients, to: (life + 1) * clients }
      const state = { ended: false }
      const sending = inParallel(clients, turn, async (number) => {
        const mail = markedMail(`long-${number}`, [`long${number}@receiver.example`], { text })
        await sendUntilAccepted(rig, tenant, mail, { everyMs: 20 })
      }).finally(() => {
        state.ended = true
      })
      await untilUnusedPart(path, () => state.ended)
      await rig.service().kill9()
      await rig.start()
      await sending
    }
    await untilDrained(tenant)
    assert.deepEqual(check(await evidence(rig, tenant, ...others)), faultless)
    const whole = messagesOfClients(rig.sink, tenant, ...others).map(
      ({ raw }) => raw.toString('latin1').match(/^long mail line\r$/gm)?.length,
    )
    assert.deepEqual(new Set(whole), new Set([lines]))
    assert.deepEqual(contentParts(path), { unused: 0, missing: 0, emails: lives * clients })
  })

  it('returns the first response for each idempotency key after a restart', async () => {
    const { rig, tenant, others } = await open()
    const mails = Array.from({ length: 20 }, (_, n) => markedMail(`again-${n}`, [`again${n}@receiver.example`]))
    const send = (mail: (typeof mails)[number]) => tenant.send(mail, { 'idempotency-key': mail.metadata.test_id })
    const first = await Promise.all(mails.map(send))
    await rig.service().kill9()
    await rig.start()
    const second = await Promise.all(mails.map(send))
    for (const [n, response] of second.entries()) {
      assert.equal(response.status, 202)
      assert.equal(response.text, first[n]?.text)
      assert.equal(response.headers['idempotent-replayed'], 'true')
    }
    await untilDrained(tenant)
    assert.deepEqual(check(await evidence(rig, tenant, ...others)).duplicate, [])
    assert.equal(new Set(receivedCopies(rig.sink, tenant, ...others).map((one) => one.testId)).size, mails.length)
  })
})
