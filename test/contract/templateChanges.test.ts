import assert from 'node:assert/strict'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { sweepOutboxes } from '@postrider/adapters/mongo/audit/sweep.ts'
import { mongoTemplates, templateOutboxes } from '@postrider/adapters/mongo/templates.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'
import { openTemplates } from '@postrider/templates/templates.ts'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { dyingMongo, dyingSqlite } from './dying.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const hourMs = 3_600_000

type Turn = <Result>(run: () => Promise<Result>) => Promise<Result>

type Opened = {
  templates: TemplateStore
  audit: Audit
  /** Returns the store of another process: its calls wait for their turns, and it dies after this many writes. */
  process(turn: Turn, writes: number): TemplateStore
  /** Moves what dead processes left behind. */
  sweep(): Promise<void>
  /** Counts what the store has of the templates of a workspace. */
  leftOf(workspace: string): Promise<number>
}

/** Runs one call at a time, in an order that `pick` chooses among those that wait. */
const turns = (pick: (waiting: number) => number) => {
  const waiting: (() => Promise<void>)[] = []
  const turn: Turn = (run) => {
    const started = Promise.withResolvers<void>()
    const done = started.promise.then(run)
    waiting.push(async () => {
      started.resolve()
      await done.catch(() => {})
    })
    return done
  }
  const all = async (work: readonly Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> => {
    let isDone = false
    const settled = Promise.allSettled(work).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await new Promise((resume) => setImmediate(resume))
      const [next] = waiting.splice(waiting.length > 0 ? pick(waiting.length) : 0, 1)
      await next?.()
    }
    return settled
  }
  return { turn, all }
}

const serviceOf = (templates: TemplateStore): Templates =>
  openTemplates({ templates, now: () => 2_000, maxTemplates: 100, maxVersions: 100 })

/** One request of its own process. `writes`: how many writes it lives. */
type Request = { kind: 'update' | 'restore' | 'remove'; writes: number }

/** More writes than a request makes. */
const alive = 1_000

const requests = fc.array(
  fc.record<Request>({
    kind: fc.constantFrom('update', 'update', 'update', 'restore', 'remove'),
    writes: fc.oneof({ weight: 2, arbitrary: fc.constant(alive) }, { weight: 1, arbitrary: fc.nat(4) }),
  }),
  { minLength: 2, maxLength: 5 },
)

const by = { actor: 'key_1', clientAddress: '' }

type Answered = { kind: Request['kind']; number: number; version: number }

const change = (service: Templates, where: { workspace: string; id: string }, { kind }: Request, number: number) => {
  if (kind === 'remove') return service.Delete({ ...where, ...by })
  if (kind === 'restore') return service.Restore({ ...where, ...by, version: 1 })
  return service.Update({ ...where, ...by, subject: `Subject ${number}` })
}

/** Returns the requests that got a response. A refused request found no template, or its process died. */
const answeredOf = (given: readonly Request[], results: readonly PromiseSettledResult<unknown>[]): Answered[] =>
  given.flatMap(({ kind, writes }, number) => {
    const result = results[number] ?? assert.fail('a request has no result')
    if (result.status === 'fulfilled') {
      return [{ kind, number, version: (result.value as { version?: number } | undefined)?.version ?? 0 }]
    }
    assert.ok(writes < alive || result.reason?.code === 'not_found', String(result.reason))
    return []
  })

/** Returns all versions, the first one first; empty: the template is removed. */
const versionsOf = async ({ templates }: Opened, workspace: string, id: string): Promise<StoredTemplate[]> => {
  const newest = await templates.get(workspace, id, 0)
  if (newest === null) return []
  const listed = await templates.listVersions(workspace, id, null, 100)
  const numbers = Array.from({ length: newest.version }, (_, n) => n + 1)
  assert.deepEqual(listed.templates.map(({ version }) => version).toReversed(), numbers)
  const found = await Promise.all(numbers.map((version) => templates.get(workspace, id, version)))
  return found.map((one, n) => one ?? assert.fail(`version ${n + 1} is lost`))
}

const linesOf = async ({ audit }: Opened, workspace: string, ...actions: string[]): Promise<number> => {
  const query = { ...noAuditFilter, workspace, limit: 100 }
  const found = await Promise.all(actions.map((is) => audit.list({ ...query, action: { is } })))
  return found.flat().length
}

const assertVersions = (versions: readonly StoredTemplate[], answered: readonly Answered[]): void => {
  assert.deepEqual([versions[0]?.subject, versions[0]?.textBody], ['Subject', 'Text'])
  for (const { kind, number, version } of answered) {
    const wanted = kind === 'restore' ? 'Subject' : `Subject ${number}`
    assert.equal(versions[version - 1]?.subject, wanted, 'the version of a response is stored')
  }
  // A restore that changes nothing returns the current version.
  const updates = answered.flatMap(({ kind, version }) => (kind === 'update' ? [version] : []))
  assert.equal(new Set(updates).size, updates.length, 'two responses have the same version')
}

/** Runs requests of several processes on a new template, and checks what is stored then. */
const check = async (opened: Opened, given: readonly Request[], pick: (waiting: number) => number): Promise<void> => {
  const workspace = newId('ws')
  const service = serviceOf(opened.templates)
  const created = { workspace, ...by, name: 'a', alias: 'a', subject: 'Subject', htmlBody: null, textBody: 'Text' }
  const { id } = await service.Create(created)
  const { turn, all } = turns(pick)
  const results = await all(
    given.map((one, number) => change(serviceOf(opened.process(turn, one.writes)), { workspace, id }, one, number)),
  )
  await opened.sweep()

  const answered = answeredOf(given, results)
  const versions = await versionsOf(opened, workspace, id)
  const isRemoved = versions.length === 0
  if (answered.some(({ kind }) => kind === 'remove')) assert.ok(isRemoved)
  assert.equal(await linesOf(opened, workspace, 'template.delete'), isRemoved ? 1 : 0)
  if (isRemoved) {
    // A process that dies between two writes, while another one removes the template, leaves a copy that nothing reads.
    const isComplete = given.every(({ kind, writes }) => kind === 'remove' || writes === alive)
    if (isComplete) assert.equal(await opened.leftOf(workspace), 0)
    assert.equal((await service.Create(created)).version, 1, 'name, alias and slot are free')
    return
  }
  assertVersions(versions, answered)
  const lines = await linesOf(opened, workspace, 'template.update', 'template.restore')
  assert.equal(lines, versions.length - 1, 'each change has its audit entry')
  const next = await service.Update({ workspace, id, ...by, subject: 'Last' })
  assert.equal(next.version, versions.length + 1)
}

/** Declares the invariants after concurrent requests, whenever their processes die. */
const declare = (adapter: string, open: () => Promise<Opened>) =>
  it(`get consecutive versions, lose none, and leave nothing of a removed template in ${adapter}`, async () => {
    const opened = await open()
    const property = fc.asyncProperty(requests, fc.infiniteStream(fc.nat(1_000)), (given, picks) =>
      check(opened, given, (waiting) => (picks.next().value ?? 0) % waiting),
    )
    await fc.assert(property, { numRuns: 40 })
  })

describe('changes of a template at the same time', () => {
  const openFile = sqliteForTests()
  declare('SQLite', async () => {
    const { db } = openFile()
    const count = db.prepare(
      'SELECT count(*) AS count FROM templates LEFT JOIN template_versions ON template = id WHERE workspace = ?',
    )
    return {
      templates: sqliteTemplates(db),
      audit: sqliteAudit(db),
      process: (_, writes) => sqliteTemplates(dyingSqlite(db, writes)),
      sweep: async () => {},
      leftOf: async (workspace) => Number(count.get(workspace)?.['count']),
    }
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(allIndexes)
    const inTurn = (db: Db, turn: Turn): Db => wrappedDb(db, { write: ({ run }) => turn(run), read: turn })
    declare('MongoDB', async () => {
      const db = await openMongo()
      return {
        templates: mongoTemplates(db),
        audit: mongoAudit(db),
        process: (turn, writes) => mongoTemplates(dyingMongo(inTurn(db, turn), writes)),
        sweep: async () => void (await sweepOutboxes(db, templateOutboxes, hourMs)),
        leftOf: async (workspace) => {
          const counts = await Promise.all(
            ['templates', 'template_versions'].map((name) => db.collection(name).countDocuments({ workspace })),
          )
          const list = await db.collection<{ _id: string; ids: string[] }>('template_lists').findOne({ _id: workspace })
          return counts.reduce((sum, one) => sum + one, list?.ids.length ?? 0)
        },
      }
    })
  })
})
