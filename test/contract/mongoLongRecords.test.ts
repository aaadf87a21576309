import assert from 'node:assert/strict'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { mongoStats, statsIndexes } from '@postrider/adapters/mongo/events/stats.ts'
import { workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import type { EventFeed, FeedQuery } from '@postrider/ports/eventFeed.ts'
import type { Db } from 'mongodb'
import { anEmail } from '../support/anEmail.ts'
import { assertIterationsBelow } from '../support/cost.ts'
import { longEmail } from '../support/longEmail.ts'
import { mongoForTests } from './mongo.ts'

const emails = 60
const until = 1_000_000
const { workspace } = anEmail()
const content = { html: null, text: 'Hi', headers: {}, attachments: [] }

/*
 * The server put 16 MiB of such records into one batch, and all of them were parsed in one event loop iteration: a page
 * of events blocked intake for half a second.
 */
describe('long records in MongoDB', () => {
  const open = mongoForTests(emailIndexes, workspaceEventIndexes, statsIndexes)
  const openWithMail = async (): Promise<Db> => {
    const db = await open()
    for (let number = 0; number < emails; number++)
      await mongoEmails(db).insert(longEmail(`em_01m7yr6cabfzvahf8pz72f${String(number).padStart(4, '0')}`), content)
    return db
  }

  it('are read a few in each event loop iteration for a page of events', async () => {
    const feed: EventFeed = mongoEventFeed(await openWithMail())
    const query: FeedQuery = { workspace, mode: 'test', order: 'asc', after: null, until, limit: emails }
    await assertIterationsBelow(30, async () => {
      const { events } = await feed.readEvents(query)
      assert.deepEqual(
        events.map(({ type }) => type),
        Array.from({ length: emails }, () => 'email.accepted'),
      )
    })
    await assertIterationsBelow(30, () => feed.readEvents({ ...query, types: new Set(['email.opened']) }))
  })

  it('are read a few in each event loop iteration for statistics', async () => {
    const stats = mongoStats(await openWithMail())
    await assertIterationsBelow(30, async () => {
      const found = await stats.changedEmails({ workspace, mode: 'test', after: 0, until, limit: emails })
      assert.equal(found.emails.length, emails)
    })
  })
})
