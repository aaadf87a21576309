import assert from 'node:assert/strict'
import { roles } from '../accounts/roles.ts'
import { changedPreferences, notificationKindNames, wants } from './kinds.ts'

describe('kinds of notifications', () => {
  it('are mailed by default to the roles that act on them', () => {
    const defaults = Object.fromEntries(
      roles.map((role) => [role, notificationKindNames.filter((kind) => wants({}, role, kind))]),
    )
    assert.deepEqual(defaults, {
      owner: ['quota', 'domains', 'webhooks', 'reputation', 'sign_in'],
      admin: ['domains', 'webhooks', 'sign_in'],
      member: ['sign_in'],
      viewer: ['sign_in'],
    })
  })

  it('are mailed as the member chose', () => {
    assert.equal(wants({ quota: false }, 'owner', 'quota'), false)
    assert.equal(wants({ quota: true }, 'viewer', 'quota'), true)
    assert.equal(wants({ quota: false }, 'owner', 'domains'), true)
  })
})

describe('changed preferences', () => {
  it('keep the kinds that a workspace has and the change does not name', () => {
    const known = new Map([['ws_1', { quota: false, domains: true }]])
    const changes = new Map([
      ['ws_1', { domains: false }],
      ['', { sign_in: false }],
    ])
    assert.deepEqual(
      changedPreferences((workspace) => known.get(workspace) ?? {}, changes),
      {
        choices: [
          { scope: 'ws_1', kinds: { quota: false, domains: false } },
          { scope: '', kinds: { sign_in: false } },
        ],
        before: { quota: false, domains: true },
        after: { quota: false, domains: false, sign_in: false },
      },
    )
  })
})
