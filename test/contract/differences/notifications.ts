import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoErasures } from '@postrider/adapters/mongo/erasure/erasures.ts'
import { mongoWorkspaceEvents } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { mongoNotifications } from '@postrider/adapters/mongo/notifications/notifications.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteNotifications } from '@postrider/adapters/sqlite/notifications/notifications.ts'
import { actionMatch, actorMatch, noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { withoutAddress } from '@postrider/domain/audit/redaction.ts'
import { internalMode } from '@postrider/domain/events/event.ts'
import { newGroup, withNewEvents } from '@postrider/domain/notifications/group.ts'
import { notificationKindNames } from '@postrider/domain/notifications/kinds.ts'
import { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
import type { Audit, AuditEntry } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { ErasureStore } from '@postrider/ports/erasures.ts'
import type { NotificationStore } from '@postrider/ports/notifications.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import fc from 'fast-check'
import { type Comparison, newIdOf, operationsOn, plain, timeOf } from './compare.ts'

type Stores = {
  notifications: NotificationStore
  events: WorkspaceEventStore
  erasures: ErasureStore
  audit: Audit
}

const operation = operationsOn<Stores>()

const start = Date.UTC(2026, 10, 28, 12)
const workspace = fc.constantFrom('ws_1', 'ws_2')
const pick = fc.nat({ max: 3 })
const limit = fc.constantFrom(1, 2, 100)

const address = 'ann@example.com'

const groupKeys = ['quota ws_1', 'domains ws_1', 'quota ws_2']

const ofNotifications = {
  insertEvents: operation(
    { workspace, id: pick, isInternal: fc.boolean() },
    async ({ events }, given) => {
      const [type, mode] = given.isInternal
        ? (['webhook.failing', internalMode] as const)
        : (['quota.warning', 'live'] as const)
      const one = { id: `evt_${given.id}`, type, workspace: given.workspace, mode }
      return events.insert([{ ...one, data: { id: given.id, $set: { 'a.b': 1 } } }])
    },
    4,
  ),
  unnoticed: operation(
    { isMarked: fc.boolean() },
    async ({ notifications }, given) => {
      const found = await notifications.unnoticed(100)
      if (given.isMarked) await notifications.markNoticed(found.slice(0, 1).map(({ id }) => id))
      return found
    },
    3,
  ),
  removeEvents: operation({ backMs: fc.constantFrom(0, hourMs, dayMs) }, ({ events }, given, { now }) =>
    events.removeUntil(now - given.backMs, 100),
  ),
  writeGroup: operation(
    { key: fc.constantFrom(...groupKeys), isStale: pick, dueMs: fc.constantFrom(0, hourMs) },
    async ({ notifications }, given, moment) => {
      const stored = await notifications.group(given.key)
      const group = stored?.group ?? newGroup({ workspace: 'ws_1', kind: 'quota', user: null })
      const event = {
        id: newIdOf('evt', moment),
        type: 'quota.warning' as const,
        workspace: 'ws_1',
        mode: 'live' as const,
      }
      const next = withNewEvents(group, [{ ...event, at: moment.now, data: {} }])
      const version = given.isStale === 0 ? null : (stored?.version ?? null)
      return notifications.writeGroup(given.key, next, timeOf(moment) + given.dueMs, version)
    },
    4,
  ),
  removeGroup: operation({ key: fc.constantFrom(...groupKeys), isStale: pick }, async ({ notifications }, given) => {
    const stored = await notifications.group(given.key)
    if (stored) await notifications.removeGroup(given.key, stored.version - (given.isStale === 0 ? 1 : 0))
  }),
  dueGroups: operation({ limit }, ({ notifications }, given, { now }) => notifications.dueGroups(now, given.limit)),
  setPreferences: operation(
    {
      user: fc.constantFrom('usr_1', 'usr_2'),
      scopes: fc.uniqueArray(fc.constantFrom('', 'ws_1', 'ws_2'), { minLength: 1, maxLength: 2 }),
      kind: fc.constantFrom(...notificationKindNames.slice(0, 2)),
      isWanted: fc.boolean(),
      hasEntry: pick,
    },
    ({ notifications }, given, moment) => {
      const changes = given.scopes.map((scope) => [scope, { [given.kind]: given.isWanted }] as const)
      return notifications.setPreferences(given.user, new Map(changes), (before, after) => {
        const shown = { before: plain(before), after: plain(after) } as Pick<AuditEntry, 'before' | 'after'>
        return given.hasEntry === 0 ? null : anEntry({ id: newIdOf('aud', moment), at: timeOf(moment), ...shown })
      })
    },
    3,
  ),
  devices: operation(
    { user: fc.constantFrom('usr_1', 'usr_2'), device: fc.constantFrom('a', 'b'), isForgotten: pick },
    async ({ notifications }, given, { now }) => {
      const known = await notifications.deviceOf(given.user, given.device)
      if (given.isForgotten === 0) return [known, await notifications.forgetDevices(now, 100)]
      await notifications.rememberDevice(given.user, given.device, now)
      return known
    },
    3,
  ),
}

const erasureId = (number: number): string => `era_${number}`

const ofErasures = {
  insertErasure: operation(
    { number: pick, workspace },
    async ({ erasures }, given, moment) => {
      const id = erasureId(given.number)
      const others = await Promise.all(['ws_1', 'ws_2'].map((of) => erasures.get(of, id)))
      if (others.some((one) => one !== null)) return null
      const times = { createdAt: timeOf(moment), completedAt: null, nextAt: timeOf(moment) }
      const one = { id, workspace: given.workspace, address, ...times, emails: 0, waiting: 0 }
      return erasures.insert(
        one,
        anEntry({ id: newIdOf('aud', moment), workspace: given.workspace, at: timeOf(moment) }),
      )
    },
    3,
  ),
  countOpen: operation({ workspace, max: limit }, ({ erasures }, given) =>
    erasures.countOpen(given.workspace, given.max),
  ),
  workOnErasures: operation(
    { limit, isDone: fc.boolean(), isLost: pick },
    async ({ erasures }, given, moment) => {
      const due = await erasures.due(moment.now, given.limit)
      const results: boolean[] = []
      for (const [index, one] of due.entries()) {
        // No two are due at the same time.
        const until = moment.now + minuteMs + 10 * moment.step + index
        results.push(await erasures.claim(one, until))
        results.push(await erasures.claim(one, until + 1))
        const next = { ...one, nextAt: until + minuteMs, emails: one.emails + 1, responsePosition: null }
        const after = given.isDone ? { ...next, address: '', completedAt: moment.now } : next
        results.push(await erasures.update(after, given.isLost === 0 ? until + 2 : until))
      }
      return [due, results]
    },
    3,
  ),
}

const ofAudit = {
  record: operation(
    {
      workspace: fc.constantFrom('ws_1', 'ws_2', ''),
      actor: fc.constantFrom('usr_1', 'key_1', 'operator', 'system'),
      action: fc.constantFrom('key.create', 'key.revoke', 'keys.other', 'plan.update'),
      operator: fc.constantFrom(null, null, 'usr_1'),
      at: pick,
      hasAddress: fc.boolean(),
    },
    ({ audit }, given, moment) => {
      const { operator, at, hasAddress, ...rest } = given
      const shown = { email: hasAddress ? `Ann <${address}>` : 'x', 'a.b': { $set: null } }
      const entry = anEntry({ id: newIdOf('aud', moment), at: start + at, ...rest, before: null, after: shown })
      return audit.record(operator === null ? entry : { ...entry, operator })
    },
    5,
  ),
  recordAgain: operation({}, async ({ audit }) => {
    const [newest] = await audit.list({ ...noAuditFilter, workspace: null, limit: 1 })
    if (newest) await audit.record({ ...newest, action: 'other.action' })
  }),
  redact: operation(
    { number: pick, workspace },
    async ({ audit, erasures }, given, { now }) => {
      const erasure = await erasures.get(given.workspace, erasureId(given.number))
      // The store refuses any other redaction with an error that is no Fault.
      if (erasure?.completedAt !== null) return
      for (const entry of await audit.list({ ...noAuditFilter, workspace: given.workspace, limit: 100 })) {
        const clean = withoutAddress(entry, (one) => one === address, { at: now, erasure: erasure.id })
        if (clean) await audit.redact({ ...clean, redactions: clean.redactions ?? [] })
      }
    },
    2,
  ),
  list: operation(
    {
      workspace: fc.constantFrom(null, 'ws_1', 'ws_2'),
      actor: fc.constantFrom(null, null, 'user', 'key', 'usr_1', 'operator'),
      orOperator: fc.constantFrom(null, null, 'usr_1'),
      action: fc.constantFrom(null, null, 'key.*', 'key.revoke'),
      createdAfter: fc.option(pick, { nil: null }),
      createdBefore: fc.option(pick, { nil: null }),
      before: fc.option(fc.record({ at: pick, step: fc.nat({ max: 30 }) }), { nil: null }),
      limit,
    },
    ({ audit }, given, moment) => {
      const { actor, orOperator, action, createdAfter, createdBefore, before } = given
      const position = before && { at: start + before.at, id: newIdOf('aud', { ...moment, step: before.step }) }
      return audit.list({
        workspace: given.workspace,
        actor: actor === null ? null : actorMatch(actor),
        ...(actor !== null && orOperator !== null && { orOperator }),
        action: action === null ? null : actionMatch(action),
        createdAfter: createdAfter === null ? null : start + createdAfter,
        createdBefore: createdBefore === null ? null : start + createdBefore,
        before: position,
        limit: given.limit,
      })
    },
    5,
  ),
}

const contents = async ({ notifications, erasures, audit }: Stores): Promise<unknown> => ({
  unnoticed: await notifications.unnoticed(100),
  groups: await Promise.all(groupKeys.map((key) => notifications.group(key))),
  preferences: await Promise.all(['', 'ws_1', 'ws_2'].map((of) => notifications.preferences(of, ['usr_1', 'usr_2']))),
  erasures: await Promise.all(
    ['ws_1', 'ws_2'].flatMap((of) => [0, 1, 2, 3].map((number) => erasures.get(of, erasureId(number)))),
  ),
  audit: await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
})

export const noticeDifferences: Comparison<Stores> = {
  name: 'notifications, erasures of recipients and the audit log',
  sqlite: (db, moment) => ({
    notifications: sqliteNotifications(db),
    events: sqliteWorkspaceEvents(db, () => timeOf(moment)),
    erasures: sqliteErasures(db),
    audit: sqliteAudit(db),
  }),
  mongo: (db, moment) => ({
    notifications: mongoNotifications(db),
    events: mongoWorkspaceEvents(db, () => timeOf(moment)),
    erasures: mongoErasures(db),
    audit: mongoAudit(db),
  }),
  operations: { ...ofNotifications, ...ofErasures, ...ofAudit },
  waits: [1_000, minuteMs, hourMs, dayMs, -1_000],
  contents,
  maxOperations: 40,
}
