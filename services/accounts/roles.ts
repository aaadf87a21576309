import type { Role } from '@postrider/domain/accounts/roles.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

/**
 * Makes sure a user may do something in a workspace.
 * @throws Fault `forbidden`, naming the roles that may
 */
export const requireRole = async (
  { accounts }: Deps,
  { workspace, user }: { workspace: string; user: string },
  allowed: readonly Role[],
): Promise<void> => {
  const role = await accounts.role(workspace, user)
  if (role !== null && allowed.includes(role)) return
  throw new Fault('forbidden', `Only ${allowed.join(', ')} of this workspace may do this.`)
}

/** Who may change the workspace itself. */
export const managers: readonly Role[] = ['owner', 'admin']
/** Who may make and change API keys: a key never may more than they do. */
export const keyMakers: readonly Role[] = ['owner', 'admin', 'member']
