import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Tenant } from '../support/client.ts'
import { sinkScript } from '../support/smtpSink.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { check } from './check.ts'
import { announcedSeed, numbers, seeded } from './random.ts'
import { ask, askUntilKept, drained, evidence, markedMail, sideBySide, takenBy } from './recorder.ts'
import { openRig, type Rig } from './rig.ts'

const sends = numbers(360, 10_000)
const kills = numbers(6, 50)
const clients = 8

/** Every fourth client asks once and never again; the others ask with a key until they are answered 202. */
const sendUntilKept = async (rig: Rig, tenant: Tenant, number: number): Promise<void> => {
  const testId = `kill-${number}`
  const recipients = Array.from({ length: 1 + (number % 3) }, (_, n) => `to${n}.${number}@receiver.example`)
  const mail = markedMail(testId, recipients)
  if (number % 4 === 0) return void (await ask(rig, tenant, mail, null))
  await askUntilKept(rig, tenant, mail, { everyMs: 20 })
}

describe('killed at any moment (I1, I2, I8, I11)', () => {
  needsOwnProcess()

  it(`${sends} sends and ${kills} times SIGKILL: nothing lost, nothing twice but where marked`, async function () {
    this.timeout(numbers(120_000, 1_800_000))
    const random = seeded(announcedSeed())
    // A reply that takes its time lets kills meet mail whose final dot is out.
    const rules = sinkScript([{ at: 'dot', every: 2, delayMs: 15 }])
    await using rig = await openRig({ sink: { script: rules } })
    const tenant = await rig.client.tenant()
    const perLife = Math.ceil(sends / kills)
    for (let life = 0; life < kills; life++) {
      const turn = { from: life * perLife, to: (life + 1) * perLife }
      const sending = sideBySide(clients, turn, (number) => sendUntilKept(rig, tenant, number))
      await pause(10 + random() * 150)
      await rig.service().kill9()
      await rig.start()
      await sending
    }
    await drained(tenant, 60_000)
    const found = await evidence(rig, tenant)
    assert.deepEqual({ ...check(found) }, { lost: [], duplicate: [], phantom: [], overspend: [], unknown: [] })
    const copies = found.taken.length
    const recipients = found.kept.reduce((sum, email) => sum + email.recipients.length, 0)
    process.stdout.write(
      `    ${found.kept.length} emails, ${recipients} recipients, ${copies - recipients} marked copies\n`,
    )
    assert.ok(found.kept.length >= sends * 0.75)
  })

  it('every key still gives its first answer after a restart', async function () {
    this.timeout(30_000)
    await using rig = await openRig()
    const tenant = await rig.client.tenant()
    const mails = Array.from({ length: 20 }, (_, n) => markedMail(`again-${n}`, [`again${n}@receiver.example`]))
    const send = (mail: (typeof mails)[number]) => tenant.send(mail, { 'idempotency-key': mail.metadata.test_id })
    const first = await Promise.all(mails.map(send))
    await rig.service().kill9()
    await rig.start()
    const second = await Promise.all(mails.map(send))
    for (const [n, answer] of second.entries()) {
      assert.equal(answer.status, 202)
      assert.equal(answer.text, first[n]?.text)
      assert.equal(answer.headers['idempotent-replayed'], 'true')
    }
    await drained(tenant, 20_000)
    assert.deepEqual(check(await evidence(rig, tenant)).duplicate, [])
    assert.equal(new Set(takenBy(rig.sink).map((one) => one.testId)).size, mails.length)
  })
})
