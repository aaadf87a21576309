import assert from 'node:assert/strict'
import type { ListAuditRequest } from '@postrider/contracts/services.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { AuditQuery } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { memoryAudit } from './fakes.ts'
import { testRig } from './testRig.ts'

const page = (over: Partial<ListAuditRequest>): ListAuditRequest => ({
  user: '',
  limit: 20,
  before: null,
  ...over,
})

/** The service over a log that records its queries. */
const rigWith = (entries: readonly ReturnType<typeof anEntry>[]) => {
  const queries: AuditQuery[] = []
  const audit = {
    ...memoryAudit(),
    list: async (query: AuditQuery) => {
      queries.push(query)
      return entries.slice(0, query.limit)
    },
    actorNames: async (ids: readonly string[]) => new Map(ids.map((id) => [id, `name of ${id}`])),
  }
  return { ...testRig({ audit }), queries }
}

describe('audit log', () => {
  for (const [role, isAllowed] of [
    ['owner', true],
    ['admin', true],
    ['member', false],
    ['viewer', false],
  ] as [Role, boolean][])
    it(`is ${isAllowed ? '' : 'not '}read by ${role}s`, async () => {
      const { service, owner, store } = testRig()
      const { workspace, user } = await owner()
      store.role = async () => role
      const read = service.ListAudit(page({ workspace, user }))
      await (isAllowed ? read : assert.rejects(read, { code: 'forbidden' }))
    })

  it('cannot be read by a user without a workspace, or of another workspace', async () => {
    const { service, owner } = testRig()
    const { user } = await owner()
    const other = await owner('eve@example.com')
    await assert.rejects(service.ListAudit(page({ user })), { code: 'forbidden' })
    await assert.rejects(service.ListAudit(page({ user, workspace: other.workspace })), { code: 'forbidden' })
  })

  it('shows the operator’s note to the operator only', async () => {
    const change = { before: { note: '', rate: null }, after: { note: 'spam?', rate: 2 } }
    const { service, owner } = rigWith([anEntry({ actor: 'operator', ...change }), anEntry({ ...change })])
    const { workspace, user } = await owner()
    const shown = async (who: { user: string }) =>
      (await service.ListAudit(page({ workspace, ...who }))).entries.map(({ after }) => after)
    assert.deepEqual(await shown({ user: '' }), [change.after, change.after])
    assert.deepEqual(await shown({ user }), [{ rate: 2 }, change.after], 'a field of another entry may have this name')
  })

  it('names users and keys, and continues after the last entry of a page', async () => {
    const entries = ['usr_1', 'key_1', 'operator', 'system'].map((actor, n) => anEntry({ actor, at: 1_000 - n }))
    const { service, queries } = rigWith(entries)
    const first = await service.ListAudit(page({ limit: 3 }))
    assert.deepEqual(
      first.entries.map(({ actor_type, actor_id, actor_name }) => [actor_type, actor_id, actor_name]),
      [
        ['user', 'usr_1', 'name of usr_1'],
        ['key', 'key_1', 'name of key_1'],
        ['operator', '', ''],
      ],
    )
    assert.ok(first.has_more)
    await service.ListAudit(page({ before: first.last_position }))
    assert.deepEqual(queries.at(-1)?.before, { at: 998, id: entries[2]?.id })
  })

  it('reads filters and bounds the page', async () => {
    const { service, queries } = rigWith([])
    const times = { created_after: Date.UTC(2026, 0, 1), created_before: Date.UTC(2026, 1, 1) }
    const reply = await service.ListAudit(page({ limit: 5_000, actor: 'user', action: 'key.*', ...times }))
    assert.deepEqual([reply.entries, reply.has_more, reply.last_position], [[], false, null])
    assert.deepEqual(queries.at(-1), {
      workspace: null,
      actor: { startsWith: 'usr_' },
      action: { startsWith: 'key.' },
      createdAfter: Date.UTC(2026, 0, 1),
      createdBefore: Date.UTC(2026, 1, 1),
      before: null,
      limit: 101,
    })
  })

  it('ends a page at 4 MiB', async () => {
    const name = 'x'.repeat(1_000_000)
    const { service } = rigWith(Array.from({ length: 10 }, () => anEntry({ after: { name } })))
    const reply = await service.ListAudit(page({}))
    assert.deepEqual([reply.entries.length, reply.has_more], [4, true])
  })
})
