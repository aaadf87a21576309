import assert from 'node:assert/strict'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoWorkspaceErasure } from '@postrider/adapters/mongo/erasure/workspaceErasure.ts'
import { removeUnusedParts } from '@postrider/adapters/sqlite/emails/contentParts.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteWorkspaceErasure } from '@postrider/adapters/sqlite/erasure/workspaceErasure.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { BatchEmail } from '@postrider/ports/emailBatches.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { content, email, everything } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { WorkspaceErasure } from '@postrider/ports/workspaceErasure.ts'
import { type CrashPoint, type DyingProcess, dyingMongo, dyingProcess, dyingSqlite } from '../support/crashingStores.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

type Stores = { emails: EmailStore; erasure: WorkspaceErasure }
/** `left`: how many documents or rows of batches, emails and contents there are. */
type Installation = { open(process: DyingProcess): Stores; restart(): void; left(): Promise<number> }

const hourMs = 3_600_000
const immortal: CrashPoint = { write: Number.POSITIVE_INFINITY, isAfter: false }

const batchEmail = (number: number, workspace: string): BatchEmail => {
  const one = email({ workspace, subject: `Message ${number}` })
  return {
    email: one,
    // One is stored in parts.
    content: number === 1 ? { ...content, html: 'x'.repeat(300_000) } : content,
    item: { number, id: one.id, sends: 1, kind: 'due', bytes: 100 },
  }
}

const removeWorkspace = async ({ erasure }: Pick<Stores, 'erasure'>, workspace: string): Promise<void> => {
  while ((await erasure.step(workspace, 10)) > 0);
}

/** Ignores the death of a process. */
const untilDeath = async (process: DyingProcess, work: () => Promise<unknown>): Promise<void> => {
  await work().catch((thrown: unknown) => {
    if (!process.isDead()) throw thrown
  })
}

type Request = { stores: Stores; workspace: string; head: Parameters<EmailStore['stageBatch']>[0] }
type Case = {
  begin(request: Request): Promise<unknown>
  end(request: Request): Promise<'accepted' | 'staged' | 'void'>
}

/** `begin` may die, then the workspace is removed, and then another process ends the request. */
const cases: Record<string, Case> = {
  'that is staged': {
    begin: ({ stores, head, workspace }) => stores.emails.stageBatch(head, [batchEmail(1, workspace)]),
    end: ({ stores, head, workspace }) => stores.emails.stageBatch(head, [batchEmail(2, workspace)]),
  },
  'that is accepted': {
    begin: ({ stores, head, workspace }) =>
      stores.emails.acceptBatch(head, [batchEmail(1, workspace)], { results: 'results', now: 1_000 }),
    end: ({ stores, head, workspace }) =>
      stores.emails.acceptBatch(head, [batchEmail(2, workspace)], { results: '', now: 1_000 }),
  },
}

const declare = (open: () => Installation | Promise<Installation>): void => {
  for (const [name, { begin, end }] of Object.entries(cases)) {
    const run = async (installation: Installation, begins: CrashPoint, removes: CrashPoint): Promise<boolean> => {
      const alive = installation.open(dyingProcess(immortal))
      const workspace = newId('ws')
      const head = { id: newId('bat'), workspace, at: 1_000, until: 31_000 }
      await alive.emails.stageBatch(head, [batchEmail(0, workspace)])
      const first = dyingProcess(begins)
      await untilDeath(first, () => begin({ stores: installation.open(first), workspace, head }))
      const second = dyingProcess(removes)
      await untilDeath(second, () => removeWorkspace(installation.open(second), workspace))
      installation.restart()
      await removeWorkspace(alive, workspace)
      assert.equal(await end({ stores: alive, workspace, head }), 'void')
      assert.equal(await alive.emails.completeBatch(head.id, 1_000), null)
      for (const now of [1_000, 31_000, 1_000 + hourMs]) {
        await alive.emails.sweepBatches(now, 10)
        assert.deepEqual((await alive.emails.list({ ...everything, workspace })).emails, [])
      }
      assert.equal(await alive.emails.sweepBatches(1_000 + hourMs, 10), 0)
      assert.equal(await installation.left(), 0)
      return first.isDead() || second.isDead()
    }

    it(`leaves nothing of a batch ${name}, wherever a process dies`, async () => {
      const installation = await open()
      let [deaths, isDead] = [0, true]
      for (let write = 0; isDead; write += 1) {
        isDead = false
        const point = { write, isAfter: false }
        if (await run(installation, point, immortal)) [deaths, isDead] = [deaths + 1, true]
        if (await run(installation, immortal, point)) [deaths, isDead] = [deaths + 1, true]
      }
      assert.ok(deaths >= 4, String(deaths))
    })
  }

  it('accepts no batch while its workspace is removed', async () => {
    const installation = await open()
    const { emails, erasure } = installation.open(dyingProcess(immortal))
    for (let round = 0; round < 5; round += 1) {
      const workspace = newId('ws')
      const head = { id: newId('bat'), workspace, at: 1_000, until: 31_000 }
      await emails.stageBatch(head, [batchEmail(0, workspace)])
      await Promise.allSettled([
        emails.stageBatch(head, [batchEmail(1, workspace)]),
        emails.acceptBatch(head, [batchEmail(2, workspace)], { results: '', now: 1_000 }),
        removeWorkspace({ erasure }, workspace),
      ])
      await removeWorkspace({ erasure }, workspace)
    }
    await emails.sweepBatches(1_000 + hourMs, 100)
    assert.equal(await installation.left(), 0)
  })
}

describe('batches of a removed workspace', () => {
  describe('in one process', () => {
    const openFile = sqliteForTests()
    declare(() => {
      const { db } = openFile()
      const tables = ['batches', 'batch_emails', 'emails', 'contents', 'content_parts']
      const counts = tables.map((table) => db.prepare(`SELECT count(*) AS count FROM ${table}`))
      return {
        open: (process) => {
          const own = dyingSqlite(db, process)
          return { emails: sqliteEmails(own), erasure: sqliteWorkspaceErasure(own) }
        },
        restart: () => removeUnusedParts(db),
        left: async () => {
          await db.synced()
          return counts.reduce((sum, count) => sum + Number(count.get()?.['count']), 0)
        },
      }
    })
  })

  describe('cluster', () => {
    const openDatabase = mongoForTests(emailIndexes)
    declare(async () => {
      const db = await openDatabase()
      return {
        open: (process) => {
          const own = dyingMongo(db, process)
          return { emails: mongoEmails(own), erasure: mongoWorkspaceErasure(own) }
        },
        restart: () => {},
        left: async () => {
          const counts = ['batches', 'emails', 'contents'].map((name) => db.collection(name).countDocuments())
          return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
        },
      }
    })
  })
})
