import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { entryIfChanged } from '@postrider/ports/auditFixtures.conformance.ts'
import { testRig } from './testRig.ts'

const problemsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const thrown = await work.then(
    () => assert.fail('the request was accepted'),
    (reason: unknown) => reason,
  )
  assert(thrown instanceof Fault && thrown.code === 'validation_failed')
  return thrown.problems.map(({ path, code }) => `${path} ${code}`)
}

const keep = { clear_spending_cap: false }

describe('workspace', () => {
  it('changes only the fields that its owner gives', async () => {
    const { service, owner } = testRig()
    const { workspace, user } = await owner()
    const before = await service.GetWorkspace({ workspace })
    const settings = {
      sender_name: 'Acme Billing',
      postal_address: '1 Main St\nSpringfield',
      on_unknown: 'hold',
    }
    const after = await service.UpdateWorkspace({ workspace, user, ...keep, ...settings })
    assert.deepEqual(after, { ...before, ...settings })
    assert.deepEqual(await service.GetWorkspace({ workspace }), after)
    // Quota stores the cap.
    assert.deepEqual(await service.UpdateWorkspace({ workspace, user, ...keep, spending_cap_usd: 5 }), after)
  })

  it('reports every problem of a change', async () => {
    const { service, owner } = testRig()
    const { workspace, user } = await owner()
    const change = {
      name: ' ',
      sender_name: 'a\r\nBcc: x',
      postal_address: 'a\u0000b',
      on_unknown: 'guess',
      retention: 0,
      spending_cap_usd: 1.005,
    }
    assert.deepEqual(await problemsOf(service.UpdateWorkspace({ workspace, user, ...keep, ...change })), [
      'name empty',
      'sender_name control_character',
      'postal_address control_character',
      'on_unknown invalid_value',
      'retention invalid_value',
      'spending_cap_usd invalid_value',
    ])
  })

  for (const retention of ['none', 'metadata', 1, 30] as const)
    it(`stores the retention "${retention}"`, async () => {
      const { service, owner } = testRig()
      const { workspace, user } = await owner()
      assert.equal((await service.UpdateWorkspace({ workspace, user, ...keep, retention })).retention, retention)
    })

  for (const retention of [31, 3650, -1, 1.5])
    it(`rejects the retention "${retention}"`, async () => {
      const { service, owner } = testRig()
      const { workspace, user } = await owner()
      const work = service.UpdateWorkspace({ workspace, user, ...keep, retention })
      assert.deepEqual(await problemsOf(work), ['retention invalid_value'])
    })

  it('shows the retention that an earlier release stored, even after other changes, and resets it', async () => {
    const { service, store, owner } = testRig()
    const { workspace, user } = await owner()
    await store.changeWorkspace(workspace, { retention: '7' }, entryIfChanged)
    const change = { workspace, user, ...keep }
    assert.equal((await service.UpdateWorkspace({ ...change, name: 'New' })).retention, 7)
    assert.equal((await service.UpdateWorkspace({ ...change, retention: null })).retention, null)
  })

  it('lets admins change settings and only owners change the spending cap', async () => {
    const { service, store, owner } = testRig()
    const { workspace, user } = await owner()
    store.role = async () => 'admin'
    await service.UpdateWorkspace({ workspace, user, ...keep, name: 'New' })
    for (const money of [{ ...keep, spending_cap_usd: 5 }, { clear_spending_cap: true }])
      await assert.rejects(service.UpdateWorkspace({ workspace, user, ...money }), {
        code: 'forbidden',
        message: /roles in the workspace: owner\.$/,
      })
    store.role = async () => 'member'
    await assert.rejects(service.UpdateWorkspace({ workspace, user, ...keep, name: 'New' }), { code: 'forbidden' })
  })

  it('records each change in the audit log with the values before and after', async () => {
    const { service, owner, audit } = testRig()
    const { workspace, user } = await owner()
    const change = { postal_address: '1 Main St', sender_name: 'Ada', on_unknown: 'hold' }
    await service.UpdateWorkspace({ workspace, user, ...keep, ...change })
    await service.UpdateWorkspace({ workspace, user, ...keep, ...change })
    const changes = audit.entries.filter(({ action }) => action === 'workspace.update')
    assert.deepEqual(
      changes.map(({ actor, target, before, after }) => ({ actor, target, before, after })),
      [
        {
          actor: user,
          target: workspace,
          before: { sender_name: '', postal_address: '', on_unknown: 'retry' },
          after: change,
        },
      ],
    )
  })

  it('returns not_found for an unknown id', () =>
    assert.rejects(testRig().service.GetWorkspace({ workspace: newId('ws') }), { code: 'not_found' }))
})

describe('operator controls', () => {
  it('list every workspace, newest first, page by page', async () => {
    const { service, owner } = testRig()
    for (const name of ['a', 'b', 'c']) await owner(`${name}@example.com`)
    const all = (await service.ListWorkspaces({ query: '', plan: '', limit: 0, before: '' })).workspaces.map(
      ({ id }) => id,
    )
    assert.deepEqual(all, all.toSorted().reverse())
    assert.equal(all.length, 3)
    const rest = await service.ListWorkspaces({ query: '', plan: '', limit: 5, before: all[0] ?? '' })
    assert.deepEqual(
      rest.workspaces.map(({ id }) => id),
      all.slice(1),
    )
  })

  it('refuse a search that finds too many users', async () => {
    const { service, store } = testRig()
    store.findWorkspaces = async () => 'too_many_users'
    await assert.rejects(service.ListWorkspaces({ query: '@', plan: '', limit: 0, before: '' }), {
      code: 'malformed_request',
      message: 'q: More than 10000 users have this text in their addresses; search for a longer one.',
    })
  })

  it('suspend, set a note and override rates; absent fields stay, "plan" removes an override', async () => {
    const { service, owner, audit } = testRig()
    const { workspace } = await owner()
    const set = await service.SetWorkspaceControls({
      workspace,
      suspended: true,
      note: 'spam?',
      rate: 2.5,
      burst: null,
    })
    assert.deepEqual([set.suspended, set.note, set.rate, set.burst], [true, 'spam?', 2.5, 0])
    const { before, after, actor } = audit.entries.at(-1) ?? assert.fail('no entry')
    assert.deepEqual(
      [actor, before, after],
      [
        'operator',
        { suspended: false, note: '', rate: null, burst: null },
        { suspended: true, note: 'spam?', rate: 2.5, burst: 0 },
      ],
    )
    const kept = await service.SetWorkspaceControls({ workspace, rate: 'plan' })
    assert.deepEqual([kept.suspended, kept.note, 'rate' in kept, kept.burst], [true, 'spam?', false, 0])
  })

  it('report every invalid value', async () => {
    const { service, owner } = testRig()
    const { workspace } = await owner()
    for (const [rate, burst] of [
      [0, 1.5],
      [-1, 0],
      [Number.NaN, Number.POSITIVE_INFINITY],
      [1e9, Number.NaN],
      [1 / 3, 0.5],
      [1e-7, -1],
    ] as const)
      assert.deepEqual(await problemsOf(service.SetWorkspaceControls({ workspace, rate, burst })), [
        'limits.rate invalid_value',
        'limits.burst invalid_value',
      ])
  })

  it('return not_found for an unknown workspace', () =>
    assert.rejects(testRig().service.SetWorkspaceControls({ workspace: newId('ws'), suspended: true }), {
      code: 'not_found',
    }))
})
