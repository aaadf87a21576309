import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Collection, Db, Document, OptionalUnlessRequiredId } from 'mongodb'
import { fresh } from '../support/client.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')

type Emails = { emails: Collection<{ _id: string }> }

/** What the page tells an operator to type: what is tried here is that, word for word. */
const typed = (name: 'hold' | 'look' | 'release') => {
  const [, code] = new RegExp(`\`\`\`js ${name}\\n([^]*?)\`\`\``).exec(page) ?? []
  if (code === undefined) throw new Error(`docs/operations.md has no ${name}`)
  return new Function('db', 'ids', `return ${code.trim()}`) as (db: Emails, ids?: readonly string[]) => unknown
}

/** A backup of everything, and what brings it back. */
const backupOf = async (records: Db): Promise<() => Promise<void>> => {
  const names = (await records.listCollections().toArray()).map(({ name }) => name)
  const kept = await Promise.all(
    names.map(async (name) => [name, await records.collection(name).find().toArray()] as const),
  )
  return async () => {
    for (const [name, documents] of kept) {
      await records.collection(name).deleteMany({})
      if (documents.length > 0)
        await records.collection(name).insertMany(documents as OptionalUnlessRequiredId<Document>[])
    }
  }
}

describe('a restored copy of the records (I30)', function restored() {
  this.timeout(90_000)
  const system = useCluster()

  it('sends nothing again that was held as docs/operations.md says, and what is let go of once', async () => {
    const { cluster, client, sink, records } = system()
    const dispatchers = cluster.of('dispatcher')
    const db: Emails = { emails: records.collection('emails') }
    const tenant = await client.tenant()
    const addresses = Array.from({ length: 4 }, () => fresh('restored'))
    const copies = () => addresses.map((address) => sink.messages.filter(({ to }) => to.includes(address)).length)
    const send = async (to: string) => (await tenant.send({ to: [to], subject: 'Once', text: 'Once.' })).body.id

    await Promise.all(dispatchers.map((one) => one.stop()))
    const ids = await Promise.all(addresses.map(send))
    const restore = await backupOf(records)
    await Promise.all(dispatchers.map((one) => one.start()))
    for (const id of ids) await tenant.until(id, ({ status }) => status === 'delivered')
    assert.deepEqual(copies(), [1, 1, 1, 1])

    await Promise.all(dispatchers.map((one) => one.stop()))
    await restore()
    await typed('hold')(db)
    await typed('hold')(db)
    await Promise.all(dispatchers.map((one) => one.start()))
    // Scans go before what comes later: when this has left, whatever was due has too.
    for (let later = 0; later < 2; later++) {
      await tenant.until(await send(fresh('later')), ({ status }) => status === 'delivered')
    }
    assert.deepEqual(copies(), [1, 1, 1, 1])
    const held = (await (typed('look')(db) as ReturnType<Emails['emails']['find']>).toArray()).map(({ _id }) => _id)
    assert.ok(ids.every((id) => held.includes(id)))

    const [wanted = '', canceled = '', ...others] = ids
    await tenant.api.call({ path: `/api/v1/emails/${canceled}/cancel`, method: 'POST', json: {} })
    await typed('release')(db, [wanted, canceled])
    await tenant.until(wanted, ({ status }) => status === 'delivered')
    await until('it is sent once more', () => (copies()[0] === 2 ? true : undefined))
    assert.deepEqual(copies(), [2, 1, 1, 1])
    assert.equal((await tenant.get(canceled)).status, 'canceled')
    for (const id of others) assert.equal((await tenant.get(id)).status, 'queued')
  })
})
