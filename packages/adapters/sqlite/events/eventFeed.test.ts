import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventType, FeedPosition } from '@postrider/domain/events/event.ts'
import { openNewDatabase } from '../../../../test/support/newDatabase.ts'
import { sqliteEventFeed } from './eventFeed.ts'

const openStore = () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-'))
  const onFatal = (reason: unknown) => {
    throw reason
  }
  const db = openNewDatabase({ path: join(folder, 'postrider.db'), onFatal })
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      await db[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('SQLite feed of events', () => {
  // A request for a type that does not occur read all events of the workspace: seconds of CPU for one request of a
  // tenant.
  for (const order of ['asc', 'desc'] as const)
    it(`reads a bounded number of rows for a page of a rare type, ${order}`, async () => {
      await using store = openStore()
      const rows = 25_000
      store.db.writeOne(() =>
        store.db
          .prepare(`
            WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
            INSERT INTO events (workspace, mode, at, id, email) SELECT 'ws_1', 'live', n, 'evt_' || n, 'em_1' FROM numbers`)
          .run(),
      )
      const feed = sqliteEventFeed(store.db)
      const query = {
        workspace: 'ws_1',
        mode: 'live',
        types: new Set<EventType>(['email.complained']),
        order,
        until: rows,
      } as const
      const positions: number[] = []
      for (let after: FeedPosition | null = null, hasMore = true; hasMore; ) {
        const page: Awaited<ReturnType<typeof feed.readEvents>> = await feed.readEvents({ ...query, after, limit: 10 })
        assert.deepEqual(page.events, [])
        ;({ position: after, hasMore } = page)
        positions.push(after.at)
      }
      assert.deepEqual(positions, order === 'asc' ? [10_000, 20_000, rows] : [rows - 9_999, rows - 19_999, -1])
    })
})
