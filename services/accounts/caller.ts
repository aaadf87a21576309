import type { Caller__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { StoredKey, StoredWorkspace } from '@postrider/ports/accounts.ts'
import { senderNameOf } from './senderName.ts'

const settings = (workspace: StoredWorkspace) => ({
  workspace: workspace.id,
  sender_name: senderNameOf(workspace),
  has_postal_address: workspace.postalAddress !== '',
  on_unknown: workspace.onUnknown,
  suspended: workspace.suspended,
  ...(workspace.rate === null ? {} : { rate: workspace.rate }),
  ...(workspace.burst === null ? {} : { burst: workspace.burst }),
})

/** What a role may do with the endpoints keys use: a viewer looks, everybody else does all. */
const scopesOf = (role: Role): string[] =>
  role === 'viewer' ? scopes.filter((scope) => scope.endsWith(':read')) : [...scopes]

export const sessionCaller = (user: string, role: Role, workspace: StoredWorkspace): Caller__Output => ({
  ...settings(workspace),
  key_id: '',
  user_id: user,
  role,
  mode: 'live',
  scopes: scopesOf(role),
  domains: [],
})

export const keyCaller = (key: StoredKey, workspace: StoredWorkspace): Caller__Output => ({
  ...settings(workspace),
  key_id: key.id,
  user_id: '',
  role: '',
  mode: key.mode,
  scopes: key.scopes,
  domains: key.domains,
})
