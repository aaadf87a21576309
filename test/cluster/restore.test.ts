import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { Collection, Db, Document, FindCursor, OptionalUnlessRequiredId, UpdateResult } from 'mongodb'
import { answered, fresh, type Tenant, whenServed } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import type { Cluster } from './cluster.ts'
import type { ServiceName } from './member.ts'
import { useCluster } from './shared.ts'

const page = readFileSync(new URL('../../docs/operations/restore.md', import.meta.url), 'utf8')

/** Returns a command of the page as a function, so that the test runs exactly what operators type. */
const commandOf = (name: 'database' | 'waiting' | 'hold' | 'look' | 'release') => {
  const [, code] = new RegExp(`\`\`\`js ${name}\\n([^]*?)\`\`\``).exec(page) ?? []
  if (code === undefined) throw new Error(`docs/operations/restore.md has no ${name}`)
  return new Function('db', 'ids', `return ${code.trim()}`) as (db: Shell, ids?: readonly string[]) => unknown
}

type Shell = { emails: Collection; getName(): string; getSiblingDB(name: string): Shell }

/** Returns the part of mongosh that the page uses, in the database of this name. */
const shellIn = (name: string, records: Db): Shell => ({
  emails: records.collection('emails'),
  getName: () => name,
  getSiblingDB: (other) => shellIn(other, records),
})

/** Makes a backup. @returns a function that restores it as if an hour had passed, so that scheduled mail is overdue */
const backupOf = async (records: Db): Promise<() => Promise<void>> => {
  const names = (await records.listCollections().toArray()).map(({ name }) => name)
  const backup = await Promise.all(
    names.map(async (name) => [name, await records.collection(name).find().toArray()] as const),
  )
  return async () => {
    for (const [name, documents] of backup) {
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

describe('restored backup (I30)', function restored() {
  const system = useCluster()

  /** Sends mail that remains in each of the waiting states, with replies of the sink that cause them. */
  const sendSome = async (tenant: Tenant) => {
    const { script } = system()
    let inFlight = false
    script(({ at, line, to }) => {
      if (at === 'RCPT' && /deferred/.test(line)) return '451 4.2.1 Later'
      if (at === 'dot' && /inwork/.test(String(to))) {
        inFlight = true
        return { silent: true }
      }
      return at === 'dot' && /doubt/.test(String(to)) ? { hangUp: 'reset' } : null
    })
    const addresses = new Set<string>()
    const send = async (to: string[], more: object = {}) => {
      for (const one of to) addresses.add(one)
      const [mail, key] = [{ to, subject: 'Once', text: 'Once.', ...more }, { 'idempotency-key': fresh() }]
      const { status, body, text } = await answered(() => tenant.send(mail, key))
      assert.equal(status, 202, text)
      return body.id
    }
    const deferred = await send([fresh('deferred')])
    const doubtful = await send([fresh('doubt'), fresh('deferred')], { on_unknown: 'hold' })
    const scheduled = await send([fresh()], { scheduled_at: new Date(Date.now() + hourMs / 2).toISOString() })
    const statuses = ({ recipients }: EmailRecord) => recipients.map(({ status }) => status).join()
    await tenant.until(deferred, (email) => statuses(email) === 'deferred')
    await tenant.until(doubtful, (email) => statuses(email) === 'unknown,deferred')
    const working = await send([fresh('inwork')])
    await until('its delivery has begun', () => inFlight || undefined)
    /** Counts these emails at the sink. Mail of other tests may arrive too. */
    const arrived = () => system().sink.messages.filter(({ to }) => to.some((one) => addresses.has(one))).length
    return { deferred, doubtful, scheduled, working, send, arrived }
  }

  it('is searched in the database that the programs use', async () => {
    const { cluster, records } = system()
    const selected = (name: string) => (commandOf('database')(shellIn(name, records)) as Shell).getName()
    const nameless = cluster.mongodbUrl.replace(/\/[^/?]+(\?|$)/, '/$1')
    await using mongo = await connectMongo({ url: nameless, name: 'test' })
    assert.equal(selected('test'), mongo.db.databaseName)
    assert.equal(selected(records.databaseName), records.databaseName)
  })

  it('sends no mail that was held as docs/operations/restore.md describes, and released mail once', async () => {
    const { cluster, client, records, script } = system()
    const shell = shellIn(records.databaseName, records)
    const waiting = () => commandOf('waiting')(shell) as Promise<number>
    const tenant = await client.tenant()
    const { send, arrived, ...begun } = await sendSome(tenant)
    // A kill leaves a delivery in flight in the backup.
    await all(cluster, ['dispatcher'], 'kill9')
    const queued = await Promise.all(Array.from({ length: 4 }, () => send([fresh('queued')])))
    const restore = await backupOf(records)
    script(() => null)
    await all(cluster, ['dispatcher'], 'start')
    for (const id of queued) await tenant.until(id, ({ status }) => status === 'delivered')

    await all(cluster, ['gateway', 'intake', 'dispatcher', 'quota'], 'stop')
    await restore()
    const arrivedBefore = arrived()
    const before = await waiting()
    const ids = [...Object.values(begun), ...queued]
    assert.ok(before >= ids.length, `${before} emails wait`)
    assert.equal(((await commandOf('hold')(shell)) as UpdateResult).modifiedCount, before)
    assert.equal(((await commandOf('hold')(shell)) as UpdateResult).modifiedCount, 0)
    assert.equal(await waiting(), 0)
    await all(cluster, ['gateway', 'intake', 'quota'], 'start')
    await all(cluster, ['dispatcher'], 'start')

    const act = (id: string, what: string, json: object = {}) =>
      whenServed(() => tenant.api.call({ path: `/api/v1/emails/${id}/${what}`, method: 'POST', json }))
    // Its other recipient waits. Regression: this made it due again.
    assert.equal((await act(begun.doubtful, 'resolve', { as: 'retry' })).status, 200)
    const [wanted = '', canceled = '', ...others] = queued
    assert.equal((await act(canceled, 'cancel')).status, 200)
    assert.equal((await act(begun.working, 'cancel')).status, 409)
    // Scans find mail in order, so all mail that was due has left before this.
    for (let later = 1; later <= 2; later++) {
      await tenant.until(await send([fresh('later')]), ({ status }) => status === 'delivered')
      assert.equal(arrived(), arrivedBefore + later)
    }
    const held = (await (commandOf('look')(shell) as FindCursor).toArray()).map(({ _id }) => String(_id))
    assert.ok(ids.every((id) => held.includes(id)))

    const released = [wanted, ...Object.values(begun)]
    await commandOf('release')(shell, [...released, canceled])
    for (const id of released) await tenant.until(id, ({ status }) => status === 'delivered')
    assert.equal(arrived(), arrivedBefore + 2 + released.length)
    assert.equal((await tenant.get(canceled)).status, 'canceled')
    for (const id of others) assert.equal((await tenant.get(id)).status, 'queued')
  })
})
