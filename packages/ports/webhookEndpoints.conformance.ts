import assert from 'node:assert/strict'
import { newId } from '@postrider/kit/ids.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { WebhookEndpointStore } from './webhookEndpoints.ts'
import { leaseMs, webhookEndpoint } from './webhooksFixtures.conformance.ts'

type Open = () => WebhookEndpointStore | Promise<WebhookEndpointStore>

const max = 100
const scan = { now: 1_000, limit: 10, leaseMs }

/** Declares the tests that every store of webhook endpoints must pass. `open` returns an empty store. */
export const webhookEndpointsConformance = (adapter: string, open: Open) =>
  describe(`webhook endpoint store in ${adapter}`, () => {
    documents(open)
    queries(open)
    scans(open)
  })

const inserted = async (store: WebhookEndpointStore, over: Parameters<typeof webhookEndpoint>[0] = {}) => {
  const one = webhookEndpoint(over)
  assert.equal(await store.insert(one, max, anEntry()), 'inserted')
  return one
}

const documents = (open: Open): void => {
  it('returns an endpoint as it was inserted, to its workspace only', async () => {
    const store = await open()
    const one = await inserted(store)
    assert.deepEqual(await store.get('ws_1', one.id), { endpoint: one, rev: 0 })
    assert.equal(await store.get('ws_2', one.id), null)
    assert.equal(await store.get('ws_1', newId('wh')), null)
    assert.equal(await store.insert(one, max, anEntry()), 'inserted')
    assert.equal((await store.byIds([one.id, newId('wh')])).length, 1)
  })

  it('stores no more endpoints of a workspace than its limit, even at the same time', async () => {
    const store = await open()
    const results = await Promise.all(Array.from({ length: 8 }, () => store.insert(webhookEndpoint(), 3, anEntry())))
    assert.deepEqual(results.filter((result) => result === 'inserted').length, 3)
    assert.equal(await store.insert(webhookEndpoint({ workspace: 'ws_2' }), 3, anEntry()), 'inserted')
  })

  it('writes with the current revision only', async () => {
    const store = await open()
    const one = await inserted(store)
    const changed = { ...one, enabled: false }
    assert.equal(await store.write(one.id, 0, { endpoint: changed, restart: false }, [anEntry()]), true)
    assert.equal(await store.write(one.id, 0, { endpoint: one, restart: false }, []), false)
    const stored = await store.get('ws_1', one.id)
    assert.deepEqual(stored?.endpoint, changed)
    assert.equal(await store.write(one.id, stored?.rev ?? 0, { endpoint: one, restart: false }, []), true)
  })

  it('removes an endpoint of its workspace', async () => {
    const store = await open()
    const one = await inserted(store)
    assert.equal(await store.remove('ws_2', one.id, () => anEntry()), null)
    assert.deepEqual(await store.remove('ws_1', one.id, () => anEntry()), one)
    assert.equal(await store.remove('ws_1', one.id, () => anEntry()), null)
    assert.equal(await store.get('ws_1', one.id), null)
    assert.deepEqual(await store.byIds([one.id]), [])
    assert.deepEqual(await store.claimScans(scan), [])
  })
}

const queries = (open: Open): void => {
  it('lists endpoints newest first, in pages, by mode', async () => {
    const store = await open()
    const all = []
    for (let count = 0; count < 5; count++) all.push(await inserted(store, { mode: count === 2 ? null : 'live' }))
    await inserted(store, { workspace: 'ws_2' })
    const newest = all.toReversed().map(({ id }) => id)
    const query = { workspace: 'ws_1', mode: null, before: null, limit: 3 }
    const first = await store.list(query)
    assert.deepEqual([first.endpoints.map(({ id }) => id), first.hasMore], [newest.slice(0, 3), true])
    const second = await store.list({ ...query, before: newest[2] ?? '' })
    assert.deepEqual([second.endpoints.map(({ id }) => id), second.hasMore], [newest.slice(3), false])
    assert.equal((await store.list({ ...query, mode: 'live', limit: 10 })).endpoints.length, 4)
  })

  it('returns enabled endpoints, and the workspaces that have any', async () => {
    const store = await open()
    const one = await inserted(store)
    await inserted(store, { enabled: false })
    await inserted(store, { workspace: 'ws_2', enabled: false })
    await inserted(store, { workspace: 'ws_3', failingSince: null })
    assert.deepEqual(await store.enabledOf('ws_1'), [one])
    assert.deepEqual(await store.enabledOf('ws_2'), [])
    assert.deepEqual(await store.enabledWorkspaces(), new Set(['ws_1', 'ws_3']))
    assert.deepEqual(await store.counts(), { enabled: 2, disabled: 2, failing: 1 })
  })

  it('returns endpoints with something to report, until it is reported', async () => {
    const store = await open()
    await inserted(store)
    const one = await inserted(store, { notices: [{ kind: 'disabled', at: 1_000, reason: 'gone' }] })
    assert.deepEqual(await store.withNotices(10), [{ endpoint: one, rev: 0 }])
    await store.write(one.id, 0, { endpoint: { ...one, notices: [] }, restart: false }, [])
    assert.deepEqual(await store.withNotices(10), [])
  })

  it('returns the ids of the master keys, and the endpoints with other master keys', async () => {
    const store = await open()
    assert.deepEqual(await store.secretIds(), [])
    const one = await inserted(store)
    const secrets = [{ id: 'a', sealed: { secretId: 's2', box: 'b' }, createdAt: 1, expiresAt: null }]
    await inserted(store, { secrets })
    assert.deepEqual((await store.secretIds()).toSorted(), ['s1', 's2'])
    assert.deepEqual(await store.sealedByOthers('s2', 10), [{ endpoint: one, rev: 0 }])
  })
}

const scans = (open: Open): void => {
  it('claims due scans of enabled endpoints once, oldest first', async () => {
    const store = await open()
    const late = await inserted(store, { since: 900 })
    const soon = await inserted(store, { since: 800 })
    await inserted(store, { since: 1_001 })
    await inserted(store, { since: 700, enabled: false })
    const claimed = await store.claimScans(scan)
    assert.deepEqual(
      claimed.map(({ endpoint, cursor }) => [endpoint.id, cursor]),
      [
        [soon.id, null],
        [late.id, null],
      ],
    )
    assert.deepEqual(await store.claimScans(scan), [])
    assert.deepEqual(await store.claimScans({ ...scan, limit: 0 }), [])
  })

  it('gives each scan to one of several callers', async () => {
    const store = await open()
    for (let count = 0; count < 6; count++) await inserted(store)
    const claims = await Promise.all(Array.from({ length: 4 }, () => store.claimScans({ ...scan, limit: 3 })))
    const ids = claims.flat().map(({ endpoint }) => endpoint.id)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('moves the cursor under its lease, and refuses an earlier holder', async () => {
    const store = await open()
    const { id } = await inserted(store)
    const [first] = await store.claimScans(scan)
    const [second] = await store.claimScans({ ...scan, now: 1_000 + leaseMs })
    const move = { cursor: { at: 900, id: 'evt_1' }, nextAt: 5_000 }
    assert.equal(await store.moveScan(id, first?.fence ?? 0, move), false)
    assert.equal(await store.moveScan(id, second?.fence ?? 0, move), true)
    assert.deepEqual(await store.claimScans({ ...scan, now: 4_999 }), [])
    assert.deepEqual((await store.claimScans({ ...scan, now: 5_000 }))[0]?.cursor, { at: 900, id: 'evt_1' })
  })

  it('resets the cursor with a change that restarts, even during a scan', async () => {
    const store = await open()
    const one = await inserted(store)
    const [claimed] = await store.claimScans(scan)
    const move = { cursor: { at: 900, id: 'evt_1' }, nextAt: 5_000 }
    await store.write(one.id, 0, { endpoint: { ...one, since: 2_000 }, restart: true }, [])
    assert.equal(await store.moveScan(one.id, claimed?.fence ?? 0, move), false)
    assert.deepEqual(await store.claimScans({ ...scan, now: 1_999 }), [])
    assert.equal((await store.claimScans({ ...scan, now: 2_000 }))[0]?.cursor, null)
  })

  it('makes the scans of a workspace due earlier, and never later', async () => {
    const store = await open()
    await inserted(store, { since: 5_000 })
    await inserted(store, { since: 500 })
    await store.scanSoon('ws_1', 2_000)
    assert.equal((await store.claimScans(scan)).length, 1)
    assert.equal((await store.claimScans({ ...scan, now: 2_000 })).length, 1)
  })

  it('ends every lease of a scan', async () => {
    const store = await open()
    await inserted(store)
    await store.claimScans(scan)
    await store.clearScans()
    assert.equal((await store.claimScans(scan)).length, 1)
  })
}
