import assert from 'node:assert/strict'
import { internalMode } from '@postrider/domain/events/event.ts'
import { newGroup } from '@postrider/domain/notifications/group.ts'
import type { Preferences } from '@postrider/domain/notifications/kinds.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry } from './audit.ts'
import type { EventFeed } from './eventFeed.ts'
import type { NotificationStore } from './notifications.ts'
import type { NewWorkspaceEvent, WorkspaceEventStore } from './workspaceEvents.ts'

type NotificationStores = {
  notifications: NotificationStore
  events: Pick<WorkspaceEventStore, 'insert'>
  /** Returns the entries of the audit log. */
  entries(): Promise<readonly AuditEntry[]>
  /** Null: the store has none. */
  feed: Pick<EventFeed, 'readEvents' | 'readEvent'> | null
}
type Open = (now: () => number) => NotificationStores | Promise<NotificationStores>

const start = Date.UTC(2026, 10, 21, 12)

const anEvent = (over: Partial<NewWorkspaceEvent> = {}): NewWorkspaceEvent => ({
  id: newId('evt'),
  type: 'webhook.failing',
  workspace: 'ws_1',
  mode: internalMode,
  data: { webhook_id: 'wh_1', $set: { 'a.b': 1 } },
  ...over,
})

const aGroup = (workspace = 'ws_1') => newGroup({ workspace, kind: 'quota', user: null })

/** Declares the tests that every store of notifications must pass. `open` returns empty stores. */
export const notificationsConformance = (name: string, open: Open) =>
  describe(`notifications in ${name}`, () => {
    describe('events', () => eventTests(open))
    describe('groups', () => groupTests(open))
    describe('preferences', () => preferenceTests(open))
    describe('devices', () => deviceTests(open))
  })

const eventTests = (open: Open): void => {
  it('are returned oldest first until they are marked', async () => {
    let time = start
    const { notifications, events } = await open(() => time)
    const [first, second, third] = [anEvent(), anEvent({ mode: 'live', type: 'quota.warning' }), anEvent()]
    await events.insert([first])
    time += 1
    await events.insert([second])
    time += 1
    await events.insert([third, first])
    assert.deepEqual(await notifications.unnoticed(2), [
      { ...first, at: start },
      { ...second, at: start + 1 },
    ])
    await notifications.markNoticed([first.id, 'evt_unknown'])
    await notifications.markNoticed([first.id])
    assert.deepEqual(
      (await notifications.unnoticed(9)).map(({ id }) => id),
      [second.id, third.id],
    )
  })

  it('are in no feed if they are internal', async () => {
    const { feed, events } = await open(() => start)
    const [internal, shown] = [anEvent(), anEvent({ mode: 'live', type: 'webhook.disabled' })]
    await events.insert([internal, shown])
    if (feed === null) return
    for (const mode of [null, 'live', 'test'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const page = await feed.readEvents({ workspace: 'ws_1', mode, order, after: null, until: start, limit: 9 })
        assert.deepEqual(
          page.events.map(({ id }) => id),
          mode === 'test' ? [] : [shown.id],
        )
      }
    assert.equal(await feed.readEvent('ws_1', { at: start, id: internal.id }), null)
  })

  it('stay marked if they are inserted again', async () => {
    const { notifications, events } = await open(() => start)
    const one = anEvent()
    await events.insert([one])
    await notifications.markNoticed([one.id])
    await events.insert([one])
    assert.deepEqual(await notifications.unnoticed(9), [])
  })
}

const groupTests = (open: Open): void => {
  it('are written only if they have not changed since they were read', async () => {
    const { notifications } = await open(() => start)
    assert.equal(await notifications.group('quota ws_1'), null)
    assert.equal(await notifications.writeGroup('quota ws_1', aGroup(), 5, null), true)
    assert.equal(await notifications.writeGroup('quota ws_1', aGroup('ws_2'), 6, null), false)
    const stored = (await notifications.group('quota ws_1')) ?? assert.fail()
    assert.deepEqual(stored, { group: aGroup(), dueAt: 5, version: stored.version })
    const changed = { ...aGroup(), quietUntil: 7 }
    const writes = [8, 9].map((dueAt) => notifications.writeGroup('quota ws_1', changed, dueAt, stored.version))
    assert.deepEqual((await Promise.all(writes)).toSorted(), [false, true])
    const after = (await notifications.group('quota ws_1')) ?? assert.fail()
    assert.deepEqual(after.group, changed)
    await notifications.removeGroup('quota ws_1', stored.version)
    assert.notEqual(await notifications.group('quota ws_1'), null)
    await notifications.removeGroup('quota ws_1', after.version)
    assert.equal(await notifications.group('quota ws_1'), null)
  })

  it('are found when they are due, the longest overdue first', async () => {
    const { notifications } = await open(() => start)
    for (const [key, dueAt] of [
      ['quota ws_1', 30],
      ['quota ws_2', 10],
      ['quota ws_3', 20],
      ['quota ws_4', 31],
    ] as const)
      await notifications.writeGroup(key, aGroup(), dueAt, null)
    assert.deepEqual(await notifications.dueGroups(30, 9), ['quota ws_2', 'quota ws_3', 'quota ws_1'])
    assert.deepEqual(await notifications.dueGroups(30, 1), ['quota ws_2'])
  })
}

const preferenceTests = (open: Open): void => {
  const anEntry = (before: Preferences, after: Preferences): AuditEntry => ({
    id: newId('aud'),
    workspace: 'ws_1',
    at: start,
    actor: 'usr_1',
    clientAddress: '198.51.100.7',
    action: 'user.update_notifications',
    target: 'usr_1',
    before: { ...before },
    after: { ...after },
  })
  const set = ({ notifications }: NotificationStores, scope: string, user: string, change: Preferences) =>
    notifications.setPreferences(user, new Map([[scope, change]]), anEntry)

  it('belong to one user in one workspace, and change by kind', async () => {
    const stores = await open(() => start)
    const { notifications } = stores
    await set(stores, 'ws_1', 'usr_1', { quota: false })
    await set(stores, 'ws_1', 'usr_1', { domains: true })
    await set(stores, '', 'usr_1', { sign_in: false })
    await set(stores, 'ws_2', 'usr_2', { quota: true })
    assert.deepEqual(
      await notifications.preferences('ws_1', ['usr_1', 'usr_2', 'usr_3']),
      new Map([['usr_1', { quota: false, domains: true }]]),
    )
    assert.deepEqual(await notifications.preferences('', ['usr_1']), new Map([['usr_1', { sign_in: false }]]))
  })

  it('keep every one of several concurrent changes, each with its audit entry', async () => {
    const stores = await open(() => start)
    const changes = [{ quota: false }, { domains: false }, { webhooks: false }, { reputation: false }]
    await Promise.all(changes.map((change) => set(stores, 'ws_1', 'usr_1', change)))
    const chosen = await stores.notifications.preferences('ws_1', ['usr_1'])
    assert.deepEqual(chosen.get('usr_1'), Object.assign({}, ...changes))
    assert.equal((await stores.entries()).length, changes.length)
  })

  it('change for several workspaces with one audit entry, which shows all of them', async () => {
    const stores = await open(() => start)
    await set(stores, 'ws_1', 'usr_1', { quota: true })
    const before = await stores.entries()
    const changes = new Map<string, Preferences>([
      ['ws_1', { quota: false, domains: true }],
      ['', { sign_in: false }],
    ])
    await stores.notifications.setPreferences('usr_1', changes, anEntry)
    const [entry, ...others] = (await stores.entries()).filter(({ id }) => !before.some((known) => known.id === id))
    assert.deepEqual(others, [])
    assert.deepEqual(entry?.before, { quota: true })
    assert.deepEqual(entry?.after, { quota: false, domains: true, sign_in: false })
    const stored = await Promise.all(['ws_1', ''].map((scope) => stores.notifications.preferences(scope, ['usr_1'])))
    assert.deepEqual(
      stored.map((found) => found.get('usr_1')),
      [{ quota: false, domains: true }, { sign_in: false }],
    )
  })

  it('stay unchanged without an audit entry', async () => {
    const stores = await open(() => start)
    await stores.notifications.setPreferences('usr_1', new Map([['ws_1', { quota: false }]]), () => null)
    assert.deepEqual(await stores.notifications.preferences('ws_1', ['usr_1']), new Map())
    assert.deepEqual(await stores.entries(), [])
  })
}

const deviceTests = (open: Open): void => {
  it('are returned for their user until they are deleted', async () => {
    const { notifications } = await open(() => start)
    assert.equal(await notifications.deviceOf('usr_1', 'a'), 'first')
    await notifications.rememberDevice('usr_1', 'a', 10)
    await notifications.rememberDevice('usr_1', 'b', 30)
    await notifications.rememberDevice('usr_1', 'b', 20)
    assert.equal(await notifications.deviceOf('usr_1', 'a'), 'known')
    assert.equal(await notifications.deviceOf('usr_1', 'c'), 'new')
    assert.equal(await notifications.deviceOf('usr_2', 'a'), 'first')
    assert.equal(await notifications.forgetDevices(30, 9), 1)
    assert.equal(await notifications.deviceOf('usr_1', 'a'), 'new')
    assert.equal(await notifications.deviceOf('usr_1', 'b'), 'known')
  })
}
