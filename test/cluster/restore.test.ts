import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { Collection, Db, Document, FindCursor, OptionalUnlessRequiredId, UpdateResult } from 'mongodb'
import { fresh, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import type { Cluster } from './cluster.ts'
import type { ServiceName } from './member.ts'
import { useCluster } from './shared.ts'

const page = readFileSync(new URL('../../docs/operations/restore.md', import.meta.url), 'utf8')

/** What the page tells an operator to type: what is tried here is that, word for word. */
const typed = (name: 'database' | 'waiting' | 'hold' | 'look' | 'release') => {
  const [, code] = new RegExp(`\`\`\`js ${name}\\n([^]*?)\`\`\``).exec(page) ?? []
  if (code === undefined) throw new Error(`docs/operations/restore.md has no ${name}`)
  return new Function('db', 'ids', `return ${code.trim()}`) as (db: Shell, ids?: readonly string[]) => unknown
}

type Shell = { emails: Collection; getName(): string; getSiblingDB(name: string): Shell }

/** As much of mongosh as the page uses; it stands in the database of this name. */
const shellIn = (name: string, records: Db): Shell => ({
  emails: records.collection('emails'),
  getName: () => name,
  getSiblingDB: (other) => shellIn(other, records),
})

/** A backup of everything, and what brings it back an hour later: what waited for its time then is due long since. */
const backupOf = async (records: Db): Promise<() => Promise<void>> => {
  const names = (await records.listCollections().toArray()).map(({ name }) => name)
  const kept = await Promise.all(
    names.map(async (name) => [name, await records.collection(name).find().toArray()] as const),
  )
  return async () => {
    for (const [name, documents] of kept) {
      await records.collection(name).deleteMany({})
      const older = name === 'emails' ? documents.map(anHourOlder) : documents
      if (older.length > 0) await records.collection(name).insertMany(older as OptionalUnlessRequiredId<Document>[])
    }
  }
}

const hourMs = 3_600_000

const anHourOlder = (email: Document): Document => {
  const doc = JSON.parse(email['doc'] || '{"recipients":[]}')
  const earlier = (at: number | null) => (at === null || at === Number.MAX_SAFE_INTEGER ? at : at - hourMs)
  for (const recipient of doc.recipients) recipient.nextAt = earlier(recipient.nextAt)
  const { nextAt, leaseUntil, dueAt } = email
  const times = { nextAt: earlier(nextAt), leaseUntil: earlier(leaseUntil), dueAt: earlier(dueAt) }
  return { ...email, ...times, doc: email['doc'] && JSON.stringify(doc) }
}

const all = (cluster: Cluster, services: ServiceName[], how: 'start' | 'stop' | 'kill9') =>
  Promise.all(services.flatMap((name) => cluster.of(name)).map((one) => one[how]()))

describe('a restored copy of the records (I30)', function restored() {
  this.timeout(120_000)
  const system = useCluster()

  /** Some of all mail that waits, each kind with the sink's own reason for it. */
  const sendSome = async (tenant: Tenant) => {
    const { script } = system()
    let inWork = false
    script(({ at, line, to }) => {
      if (at === 'RCPT' && /deferred/.test(line)) return '451 4.2.1 Later'
      if (at === 'dot' && /inwork/.test(String(to))) {
        inWork = true
        return { silent: true }
      }
      return at === 'dot' && /doubt/.test(String(to)) ? { hangUp: 'reset' } : null
    })
    const mine = new Set<string>()
    const send = async (to: string[], more: object = {}) => {
      for (const one of to) mine.add(one)
      const { status, body, text } = await tenant.send({ to, subject: 'Once', text: 'Once.', ...more })
      assert.equal(status, 202, text)
      return body.id
    }
    const deferred = await send([fresh('deferred')])
    const doubtful = await send([fresh('doubt'), fresh('deferred')], { on_unknown: 'hold' })
    const scheduled = await send([fresh()], { scheduled_at: new Date(Date.now() + hourMs / 2).toISOString() })
    const recipients = ({ recipients: them }: EmailRecord) => them.map(({ status }) => status).join()
    await tenant.until(deferred, (email) => recipients(email) === 'deferred')
    await tenant.until(doubtful, (email) => recipients(email) === 'unknown,deferred')
    const working = await send([fresh('inwork')])
    await until('it is in work', () => inWork || undefined)
    /** How many of these mails have come to the sink; mail of other tests may come too. */
    const arrived = () => system().sink.messages.filter(({ to }) => to.some((one) => mine.has(one))).length
    return { deferred, doubtful, scheduled, working, send, arrived }
  }

  it('is looked for in the database that the programs take', async () => {
    const { cluster, records } = system()
    const shown = (name: string) => (typed('database')(shellIn(name, records)) as Shell).getName()
    const nameless = cluster.mongodbUrl.replace(/\/[^/?]+(\?|$)/, '/$1')
    await using mongo = await connectMongo({ url: nameless, name: 'test' })
    assert.equal(shown('test'), mongo.db.databaseName)
    assert.equal(shown(records.databaseName), records.databaseName)
  })

  it('sends nothing again that was held as docs/operations/restore.md says, and what is let go of once', async () => {
    const { cluster, client, records, script } = system()
    const shell = shellIn(records.databaseName, records)
    const waiting = () => typed('waiting')(shell) as Promise<number>
    const tenant = await client.tenant()
    const { send, arrived, ...begun } = await sendSome(tenant)
    // Killed, so that one is in work in the backup.
    await all(cluster, ['dispatcher'], 'kill9')
    const queued = await Promise.all(Array.from({ length: 4 }, () => send([fresh('queued')])))
    const restore = await backupOf(records)
    script(() => null)
    await all(cluster, ['dispatcher'], 'start')
    for (const id of queued) await tenant.until(id, ({ status }) => status === 'delivered')

    await all(cluster, ['gateway', 'intake', 'dispatcher'], 'stop')
    await restore()
    const taken = arrived()
    const before = await waiting()
    const ids = [...Object.values(begun), ...queued]
    assert.ok(before >= ids.length, `${before} wait`)
    assert.equal(((await typed('hold')(shell)) as UpdateResult).modifiedCount, before)
    assert.equal(((await typed('hold')(shell)) as UpdateResult).modifiedCount, 0)
    assert.equal(await waiting(), 0)
    await all(cluster, ['gateway', 'intake'], 'start')
    await all(cluster, ['dispatcher'], 'start')

    const asked = (id: string, what: string, json: object = {}) =>
      tenant.api.call({ path: `/api/v1/emails/${id}/${what}`, method: 'POST', json })
    // Of its two recipients the other waits: it was due again by this.
    assert.equal((await asked(begun.doubtful, 'resolve', { as: 'retry' })).status, 200)
    const [wanted = '', canceled = '', ...others] = queued
    assert.equal((await asked(canceled, 'cancel')).status, 200)
    assert.equal((await asked(begun.working, 'cancel')).status, 409)
    // Scans go before what comes later: when this has left, whatever was due has too.
    for (let later = 1; later <= 2; later++) {
      await tenant.until(await send([fresh('later')]), ({ status }) => status === 'delivered')
      assert.equal(arrived(), taken + later)
    }
    const held = (await (typed('look')(shell) as FindCursor).toArray()).map(({ _id }) => String(_id))
    assert.ok(ids.every((id) => held.includes(id)))

    const released = [wanted, ...Object.values(begun)]
    await typed('release')(shell, [...released, canceled])
    for (const id of released) await tenant.until(id, ({ status }) => status === 'delivered')
    assert.equal(arrived(), taken + 2 + released.length)
    assert.equal((await tenant.get(canceled)).status, 'canceled')
    for (const id of others) assert.equal((await tenant.get(id)).status, 'queued')
  })
})
