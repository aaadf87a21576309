import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { PurgeChange } from '@postrider/ports/emailPurges.ts'
import { caller, mail, noon, reader, request, testIntake, withKey } from '../../test/support/testIntake.ts'
import { until } from '../../test/support/until.ts'
import { purgeBatch } from './purge.ts'

const day = 86_400_000
type System = Awaited<ReturnType<typeof testIntake>>

/** Ends an email as delivered. */
const deliver = async ({ emails, time }: System, id: string): Promise<void> => {
  const [claimed] = await emails.claim({ lane: 'transactional', now: time.at, limit: 1, leaseMs: 1_000, ids: [id] })
  assert.ok(claimed)
  const recipients = claimed.email.recipients.map((one) => ({ ...one, status: 'delivered' as const, nextAt: null }))
  await emails.write(id, claimed.fence, { email: { ...claimed.email, recipients }, nextAt: null, done: true })
}

const count = ({ db }: System, table: string): number =>
  Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])

const fileOf = ({ db }: System): string => String(db.prepare('PRAGMA database_list').get()?.['file'])

/** Waits until the files of the store do not match. A thread copies the log, and each sweep continues. */
const isGone = (system: System, pattern: RegExp) =>
  until(`${pattern} is gone from the files`, async () => {
    const path = fileOf(system)
    if ([path, `${path}-wal`].every((file) => !pattern.test(readFileSync(file, 'latin1')))) return true
    await system.sweep()
    return undefined
  })

describe('the removal of old mail', () => {
  it('removes content after 30 days and records after 90', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await deliver(system, id)
    system.time.at = noon + 30 * day - 1
    await system.sweep()
    assert.equal(count(system, 'contents'), 1)
    system.time.at = noon + 30 * day
    const purged: unknown[] = []
    await system.sweep({ purged: (...of) => void purged.push(of) })
    assert.deepEqual(purged, [['content', 1]])
    assert.equal(count(system, 'contents'), 0)
    const { record_json: json } = await system.intake.GetEmail({ reader: reader(), id })
    const { subject, content_removed_at: at, to } = JSON.parse(json)
    assert.deepEqual([subject, at, to], ['', '2026-12-21T12:00:00.000Z', ['ann@example.com', 'bob@example.com']])
    await assert.rejects(system.intake.GetRaw({ reader: reader(), id }), /was removed at 2026-12-21/)
    system.time.at = noon + 90 * day
    await system.sweep()
    assert.equal(count(system, 'emails'), 0)
  })

  it('removes attachments 3 days after the end and shows a sentence in their place', async () => {
    await using system = await testIntake()
    const file = { filename: 'a.txt', contentType: 'text/plain', contentId: null, content: Buffer.from('MARKER-7') }
    const id = await system.send({ attachments: [file] })
    await deliver(system, id)
    system.time.at = noon + 3 * day
    await system.sweep()
    const { raw } = await system.intake.GetRaw({ reader: reader(), id })
    const text = raw.toString()
    assert.match(text, /It works/)
    const encoded = Buffer.from('This attachment was removed at 2026-11-24T12:00:00.000Z.').toString('base64')
    assert.ok(text.includes(encoded.slice(0, 40)) || text.includes('This attachment was removed at'))
    assert.doesNotMatch(
      JSON.stringify(system.db.prepare('SELECT hex(content) AS c FROM attachments').all()),
      /4D41524B/,
    )
  })

  it('reports how long the oldest mail is due that it did not reach', async () => {
    await using system = await testIntake()
    await deliver(system, await system.send())
    system.time.at = noon + 31 * day
    const late: unknown[] = []
    const overdue = (...of: unknown[]) => void late.push(of)
    await system.sweep({ overdue, emails: { ...system.emails, purge: () => Promise.resolve(0) } })
    await system.sweep({ overdue })
    assert.deepEqual(late, [
      ['mail', day],
      ['recipient', 0],
      ['mail', 0],
      ['recipient', 0],
    ])
  })

  // Regression: the void id was read as an email, and each round failed before it removed anything.
  it('removes a void id together with due mail', async () => {
    await using system = await testIntake()
    await deliver(system, await system.send())
    assert.equal(await system.emails.tombstone('em_void'), true)
    await system.sweep()
    system.time.at = noon + 90 * day
    const purged: unknown[] = []
    const late: unknown[] = []
    const reports = {
      purged: (...of: unknown[]) => void purged.push(of),
      overdue: (...of: unknown[]) => void late.push(of),
    }
    await system.sweep(reports)
    await system.sweep(reports)
    assert.equal(count(system, 'emails'), 0)
    assert.deepEqual(purged, [
      ['content', 1],
      ['record', 1],
    ])
    assert.deepEqual(late[0], ['mail', 0])
  })

  // Regression: the time was reported after the last step only, so the alert of overdue removals never fired.
  it('reports how long the oldest mail is due when the removal fails', async () => {
    await using system = await testIntake()
    await deliver(system, await system.send({ retention: 1 }))
    system.time.at = noon + 3 * day
    const [late, scrubbed] = [[] as unknown[], [] as boolean[]]
    const emails = {
      ...system.emails,
      purge: () => Promise.reject(new Error('no removal')),
      scrub: async (isWanted: boolean) => void scrubbed.push(isWanted),
    }
    await assert.rejects(system.sweep({ emails, overdue: (...of) => void late.push(of) }))
    assert.deepEqual([late[0], scrubbed], [['mail', 2 * day], [true]])
  })

  it('never touches mail that is not final', async () => {
    await using system = await testIntake()
    const id = await system.send()
    system.time.at = noon + 200 * day
    await system.sweep()
    assert.equal((await system.stored(id)).email.subject, 'Hello')
    assert.equal(count(system, 'contents'), 1)
  })

  it('leaves no trace of mail with `none` in the files of the store', async () => {
    await using system = await testIntake()
    const marked = mail({
      retention: 'none',
      subject: 'MARKER-1',
      text: 'MARKER-1',
      html: `<p>${'MARKER-1 '.repeat(60_000)}</p>`,
      headers: { 'X-M': 'MARKER-1' },
      metadata: { m: 'MARKER-1' },
      to: [{ name: 'MARKER-1', address: 'marker-1@example.com' }],
      attachments: [
        { filename: 'MARKER-1.txt', contentType: 'text/plain', contentId: null, content: Buffer.from('MARKER-1') },
      ],
    })
    const { id } = await system.intake.Submit(request({ mail: marked, ...withKey('k1') }))
    await deliver(system, id)
    await system.sweep()
    await isGone(system, /marker-1/i)
    const again = await system.intake.Submit(request({ mail: marked, ...withKey('k1') }))
    assert.deepEqual([again.replayed, again.id], [true, id])
  })

  // The removed rows lie between others, which move when rows grow; and the log was being copied when it was to be
  // emptied.
  it('removes all data of many emails with `none` between others', async () => {
    await using system = await testIntake()
    const send = async (number: number): Promise<string> => {
      const isMarked = number % 3 === 0
      const word = isMarked ? 'MARKER-2 ' : 'control-2 '
      const name = word.trim().toLowerCase()
      const file = { filename: `${name}.txt`, contentType: 'text/plain', contentId: null }
      const mailed = mail({
        ...(isMarked && { retention: 'none' }),
        subject: word,
        text: word.repeat(number % 40),
        html: word.repeat(number % 97 === 0 ? 40_000 : (number * 7) % 900),
        metadata: { m: word.repeat(number % 30) },
        to: [{ name: '', address: `${name}-${number}@example.com` }],
        attachments: number % 5 === 0 ? [{ ...file, content: Buffer.from(word.repeat(number * 9)) }] : [],
      })
      const submission = request({ mail: mailed, caller: caller({ mode: 'test' }), ...withKey(String(number)) })
      return (await system.intake.Submit(submission)).id
    }
    const waiting: string[] = []
    for (let number = 1; number <= 400; number++) {
      waiting.push(await send(number))
      const [id] = number > 40 ? waiting.splice((number * 11) % waiting.length, 1) : []
      if (id) await deliver(system, id)
      if (number % 100 === 0) await system.sweep()
    }
    for (const id of waiting) await deliver(system, id)
    await system.sweep()
    await isGone(system, /marker-2/i)
    assert.match(readFileSync(fileOf(system), 'latin1'), /control-2/i)
  })

  it('the removal of old mail works in small steps', async () => {
    await using system = await testIntake()
    const ids: string[] = []
    for (let number = 0; number < purgeBatch + 20; number++) {
      const submission = request({ caller: caller({ mode: 'test' }), operation: String(number) })
      ids.push((await system.intake.Submit(submission)).id)
    }
    for (const id of ids) await deliver(system, id)
    system.time.at = noon + 30 * day
    const steps: number[] = []
    const emails = {
      ...system.emails,
      purge: (changes: readonly PurgeChange[]) => {
        steps.push(changes.length)
        return system.emails.purge(changes)
      },
    }
    await system.sweep({ emails })
    assert.deepEqual(steps, [purgeBatch, 20])
  })

  it('gives mail of an earlier release its times', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await deliver(system, id)
    system.db.writeOne(() => system.db.prepare('UPDATE emails SET purge_step = NULL, purge_from = 0').run())
    system.time.at = noon + 91 * day
    await system.sweep()
    assert.equal((await system.emails.get(id))?.email.contentRemovedAt, system.time.at)
    await system.sweep()
    assert.equal(count(system, 'emails'), 0)
  })
})
