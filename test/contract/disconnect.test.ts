import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { intakeClient, intakeHandlers } from '@postrider/adapters/grpc/intake.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { type Intake, intakeSpec } from '@postrider/contracts/services.ts'
import { aKey, type Fakes, testGateway } from '@postrider/gateway/testGateway.ts'
import { emailReaders } from '@postrider/intake/readEmails.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Collection, Db } from 'mongodb'
import { anEmail } from '../support/anEmail.ts'
import { inParallel } from '../support/inParallel.ts'
import { listRequest, reader } from '../support/testIntake.ts'
import { until } from '../support/until.ts'
import { clientOf, served } from './grpc.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

/** Counts reads of the store, and calls `onRead` with the number of each. A read waits for what it returns. */
type Reads = { count: number; onRead: (count: number) => Promise<void> | void }

const noted = (reads: Reads): Promise<void> | void => {
  reads.count += 1
  return reads.onRead(reads.count)
}

/** Returns the database with collections that count their reads before they start. */
const countingMongo = (db: Db, reads: Reads): Db => {
  const counting = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const method = Reflect.get(target, name, target)
        if (name === 'findOne') {
          return async (...args: unknown[]) => {
            await noted(reads)
            return Reflect.apply(method, target, args)
          }
        }
        if (name === 'find') {
          return (...args: unknown[]) => {
            void noted(reads)
            return Reflect.apply(method, target, args)
          }
        }
        return typeof method === 'function' ? method.bind(target) : method
      },
    })
  return new Proxy(db, {
    get: (target, name) => {
      const method = Reflect.get(target, name, target)
      if (name === 'collection') return (collection: string) => counting(target.collection(collection))
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
}

/** Part of a subject that no email has, although the index finds each: all have its parts of three characters. */
const absent = 'abab'

/** Stores emails of the caller of the test gateway. */
const fill = async (emails: Pick<EmailStore, 'insert'>, emailCount: number): Promise<void> => {
  const content = { html: null, text: 't', headers: {}, attachments: [] }
  await inParallel(250, { from: 0, to: emailCount }, async (createdAt) => {
    await emails.insert(anEmail({ id: newId('em'), workspace: 'ws_1', subject: 'aba bab', createdAt }), content)
  })
}

/**
 * Lists with a filter that matches nothing; the client disconnects at the second read.
 * @returns the reads of that list
 */
const readsOfGoneClient = async (
  intake: NonNullable<Fakes['intake']>,
  reads: Reads,
  ended: () => boolean,
): Promise<number> => {
  await using gateway = await testGateway({ intake })
  const socket = connect(gateway.port, '127.0.0.1')
  reads.count = 0
  reads.onRead = (count) => {
    if (count === 2) socket.destroy()
  }
  socket.write(`GET /api/v1/emails?subject=${absent} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\n\r\n`)
  await until('the list has ended', () => ended() || undefined)
  return reads.count
}

/** Runs the readers of intake over a store and reports when a list has ended. */
const readersOf = (emails: EmailStore) => {
  const state = { ended: 0 }
  const watched: Pick<EmailStore, 'get' | 'content' | 'list'> = {
    ...emails,
    list: (query, signal) => emails.list(query, signal).finally(() => state.ended++),
  }
  return { state, readers: emailReaders({ emails: watched, now: Date.now }) }
}

/** Adds the methods that no test calls, because a server needs all. */
const withUnused = (readers: ReturnType<typeof emailReaders>): Intake => {
  const unused = () => Promise.reject(new Error('called unexpectedly'))
  const batches = { StageBatch: unused, SubmitBatch: unused }
  const others = { ...batches, Submit: unused, Check: unused, CancelEmail: unused, ResolveEmail: unused }
  const more = { RescheduleEmail: unused, Validate: unused }
  const erasing = {
    ListEvents: unused,
    ReadStats: unused,
    GetRetention: unused,
    CreateErasure: unused,
    GetErasure: unused,
  }
  const clock = { GetTestClock: unused, MoveTestClock: unused }
  const parked = { ListParked: unused, ReleaseParked: unused, DropParked: unused }
  const operator = { GetQueues: unused, CountDispatchers: unused, ...parked }
  return {
    ...others,
    ...more,
    ...erasing,
    ...clock,
    ...operator,
    ListCaptured: unused,
    GetCaptured: unused,
    SendSystemMail: unused,
    ...readers,
  }
}

// Regression: a list whose filter matches nothing read the whole workspace for a client that had disconnected.
describe('a list whose client disconnects', () => {
  describe('in one process on SQLite', () => {
    const open = sqliteForTests()

    it('a list stops reading the store when its client disconnects', async () => {
      const { db } = open()
      const reads: Reads = { count: 0, onRead: () => {} }
      const read: typeof db.read = (work) => {
        void noted(reads)
        return db.read(work)
      }
      const { state, readers } = readersOf(sqliteEmails({ ...db, read }))
      await fill(sqliteEmails(db), 12_000)
      await using whole = await testGateway({ intake: readers })
      assert.equal((await whole.api({ path: `/api/v1/emails?subject=${absent}` })).status, 200)
      const all = reads.count
      assert.ok(all >= 12, `${all} reads`)
      state.ended = 0
      const some = await readsOfGoneClient(readers, reads, () => state.ended > 0)
      assert.ok(some <= Math.max(8, all / 10) && some < all, `${some} of ${all} reads`)
    })
  })

  describe('in a cluster, over gRPC on MongoDB', () => {
    const open = mongoForTests(emailIndexes)

    it('a list stops reading the store when its client disconnects', async () => {
      const db = await open()
      const reads: Reads = { count: 0, onRead: () => {} }
      const { state, readers } = readersOf(mongoEmails(countingMongo(db, reads)))
      // No email matches, so each read gets as many as a page has.
      await fill(mongoEmails(db), 1_000)
      await using server = await served({ spec: intakeSpec, implementation: intakeHandlers(withUnused(readers)) })
      await using client = clientOf(intakeSpec, server.address)
      const intake = intakeClient(client.service)
      // Called directly: the deadline of a gRPC call could end the whole list on a busy machine.
      await readers.ListEmails(listRequest({ reader: reader({ workspace: 'ws_1' }), subject: absent }))
      const all = reads.count
      assert.ok(all >= 100, `${all} reads`)
      state.ended = 0
      const some = await readsOfGoneClient(intake, reads, () => state.ended > 0)
      assert.ok(some <= 8, `${some} of ${all} reads`)
    })
  })
})
