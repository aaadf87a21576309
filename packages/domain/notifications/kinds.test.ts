import assert from 'node:assert/strict'
import { roles } from '../accounts/roles.ts'
import { notificationKindNames, wants } from './kinds.ts'

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
