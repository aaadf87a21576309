import { randomBytes } from 'node:crypto'
import type { Accounts } from '@postrider/contracts/services.ts'
import { authenticateKey } from './authenticateKey.ts'
import { createKey } from './createKey.ts'
import type { Deps } from './deps.ts'
import { listKeys, revokeKey, updateKey } from './keys.ts'
import { lazyWrites } from './lazily.ts'
import { defaultLimits } from './limits.ts'
import { logIn } from './logIn.ts'
import { listWorkspaces, setWorkspaceControls } from './operator.ts'
import { argon2Passwords } from './passwords.ts'
import { authenticateSession, logOut } from './session.ts'
import { signUp } from './signUp.ts'
import { getWorkspace, updateWorkspace } from './workspaces.ts'

/** What must be given; hashing, randomness and limits have defaults. */
export type AccountsOptions = Omit<Deps, 'passwords' | 'random' | 'limits' | 'lazily'> &
  Partial<Pick<Deps, 'passwords' | 'random'>> & { limits?: Partial<Deps['limits']> }

export const depsOf = ({ passwords, random, limits, ...given }: AccountsOptions): Deps => ({
  ...given,
  passwords: passwords ?? argon2Passwords(),
  random: random ?? randomBytes,
  limits: { ...defaultLimits, ...limits },
  lazily: lazyWrites(),
})

/** Users, sessions, workspaces and API keys: who may do what. */
export const accountsService = (options: AccountsOptions): Accounts => {
  const deps = depsOf(options)
  return {
    SignUp: (request) => signUp(deps, request),
    LogIn: (request) => logIn(deps, request),
    LogOut: (request) => logOut(deps, request),
    AuthenticateSession: (request) => authenticateSession(deps, request),
    AuthenticateKey: (request) => authenticateKey(deps, request),
    GetWorkspace: (request) => getWorkspace(deps, request),
    UpdateWorkspace: (request) => updateWorkspace(deps, request),
    CreateKey: (request) => createKey(deps, request),
    ListKeys: (request) => listKeys(deps, request),
    UpdateKey: (request) => updateKey(deps, request),
    RevokeKey: (request) => revokeKey(deps, request),
    ListWorkspaces: (request) => listWorkspaces(deps, request),
    SetWorkspaceControls: (request) => setWorkspaceControls(deps, request),
  }
}
