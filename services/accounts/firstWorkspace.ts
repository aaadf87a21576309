import type { AccountsOptions } from './accounts.ts'
import { depsOf } from './accounts.ts'
import { createKey } from './createKey.ts'
import { makeOwner } from './signUp.ts'

const passwordBytes = 15

/** Reserved (RFC 6761 §6.3), so it can be nobody's, and shaped like any other address. */
const ownerEmail = 'owner@postrider.localhost'

/**
 * Where there is no workspace at all: makes one with an owner and a test key, and tells their secrets, this once.
 * @returns null: there is a workspace already
 */
export const ensureFirstWorkspace = async (
  options: AccountsOptions,
): Promise<{ ownerEmail: string; password: string; testKey: string } | null> => {
  const deps = depsOf(options)
  if ((await deps.accounts.listWorkspaces(null, 1)).length > 0) return null
  const password = Buffer.from(deps.random(passwordBytes)).toString('base64url')
  const owner = { email: ownerEmail, password, name: 'My workspace', clientAddress: '' }
  const { user, workspace } = await makeOwner(deps, owner)
  const { secret: testKey } = await createKey(deps, {
    workspace: workspace.id,
    user: user.id,
    name: 'First test key',
    scopes: [],
    mode: 'test',
    expires_at: '',
    domains: [],
    networks: [],
  })
  return { ownerEmail, password, testKey }
}
