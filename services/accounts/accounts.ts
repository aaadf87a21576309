import { randomBytes } from 'node:crypto'
import type { Accounts } from '@postrider/contracts/services.ts'
import { authenticateKey } from './authenticateKey.ts'
import { deferredWrites } from './deferredWrites.ts'
import { type Deps, defaultLimits } from './deps.ts'
import { createKey, listKeys, revokeKey, updateKey } from './keys.ts'
import { logIn } from './logIn.ts'
import { argon2Passwords } from './passwords.ts'
import { authenticateSession, logOut } from './session.ts'
import { ensureFirstWorkspace, type FirstWorkspace, signUp } from './signUp.ts'
import { getWorkspace, listWorkspaces, setWorkspaceControls, updateWorkspace } from './workspaces.ts'

/** Dependencies of the service; hashing, randomness and limits have defaults. */
export type AccountsOptions = Omit<Deps, 'passwords' | 'random' | 'limits' | 'deferWrite'> &
  Partial<Pick<Deps, 'passwords' | 'random'>> & { limits?: Partial<Deps['limits']> }

export type OpenAccounts = {
  accounts: Accounts
  /**
   * Makes a workspace with an owner and a test key if the store has no workspace yet. Their secrets are shown this once.
   * @returns null: there is a workspace already
   */
  ensureFirstWorkspace(): Promise<FirstWorkspace | null>
}

/** Opens the service of users, sessions, workspaces and API keys. */
export const openAccounts = ({ passwords, random, limits, ...given }: AccountsOptions): OpenAccounts => {
  const deps: Deps = {
    ...given,
    passwords: passwords ?? argon2Passwords(),
    random: random ?? randomBytes,
    limits: { ...defaultLimits, ...limits },
    deferWrite: deferredWrites(),
  }
  const accounts: Accounts = {
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
  return { accounts, ensureFirstWorkspace: () => ensureFirstWorkspace(deps) }
}
