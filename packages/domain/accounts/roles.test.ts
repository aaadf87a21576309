import assert from 'node:assert/strict'
import { scopes } from './apiKey.ts'
import { mayDo, type Permission, permissions, type Role, rolesWith, scopeRefusal, scopesOfRole } from './roles.ts'

const all = Object.keys(permissions) as Permission[]
const ofRole = (role: Role): string => all.filter((permission) => mayDo(role, permission)).join(' ')

const viewer = [
  'emails:read templates:read domains:read webhooks:read suppressions:read account:use workspace:read keys:read',
  'members:read billing:read',
]
const member = ['emails:send', 'templates:write']
const admin = [
  'domains:write',
  'webhooks:write',
  'suppressions:write',
  'workspace:write',
  'keys:write',
  'members:write',
  'audit:read',
  'erasures:write',
]
const owner = ['ownership:write', 'billing:write', 'security:write', 'workspace:delete']

describe('roles', () => {
  const rows: [role: Role, expected: string[]][] = [
    ['viewer', viewer],
    ['member', [...viewer, ...member]],
    ['admin', [...viewer, ...member, ...admin]],
    ['owner', [...viewer, ...member, ...admin, ...owner]],
  ]
  for (const [role, expected] of rows)
    it(`give a ${role} exactly the permissions of the table`, () => {
      const wanted = expected.flatMap((text) => text.split(' '))
      assert.deepEqual(ofRole(role).split(' ').toSorted(), wanted.toSorted())
    })

  it('give each role what the roles below it have', () => {
    for (const permission of all) {
      const having = rolesWith(permission)
      assert.deepEqual(having, (['owner', 'admin', 'member', 'viewer'] as const).slice(0, having.length))
      assert.ok(having.length > 0)
    }
  })

  // A stored role that is unknown to this release was above the owner.
  it('an unknown role has no permission', () => {
    assert.equal(ofRole('root' as Role), '')
    assert.deepEqual(scopesOfRole('' as Role), [])
  })

  it('have the scopes that are permissions', () => {
    assert.deepEqual(scopesOfRole('owner'), [...scopes])
    assert.deepEqual(
      scopesOfRole('viewer'),
      scopes.filter((scope) => scope.endsWith(':read')),
    )
  })
})

describe('scopes that a role gives to an API key', () => {
  it('are those of the role', () => {
    assert.equal(scopeRefusal('admin', scopes), null)
    assert.equal(
      scopeRefusal('member', ['emails:send', 'domains:write', 'webhooks:write']),
      'Your role lacks the scopes domains:write, webhooks:write; omit them, or ask an admin to create the key.',
    )
  })
})
