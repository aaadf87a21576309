import type { SignUpRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SignUpRequest.ts'
import type { SessionReply } from '@postrider/contracts/services.ts'
import { maxWorkspaceNameLength, normalizeEmail, textProblems } from '@postrider/domain/accounts/textRules.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { newAllowance } from '@postrider/domain/quota/plans.ts'
import { Fault, hasCode, invalid, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import { newEntry } from './auditEntries.ts'
import { refuseClosedSignUp } from './closedSignUp.ts'
import type { Deps } from './deps.ts'
import { postConfirmation } from './emailAddress.ts'
import { createKey } from './keys.ts'
import { identify } from './logIn.ts'
import { newPasswordProblems } from './ownPassword.ts'
import { insertOwned } from './ownWorkspaces.ts'
import { limitSignUps } from './rateLimits.ts'
import { openSession } from './session.ts'

const checkedRequest = (request: SignUpRequest__Output): { email: string; name: string } => {
  const email = normalizeEmail(request.email)
  const others = [
    ...newPasswordProblems('password', request.password, 'email' in email ? email.email : ''),
    ...textProblems('workspace_name', request.workspace_name, { max: maxWorkspaceNameLength }),
  ]
  if (!('email' in email)) throw invalid({ path: 'email', ...email }, ...others)
  refuseAny(others)
  return { email: email.email, name: request.workspace_name.trim() }
}

const addressInUseFault = () => new Fault('conflict', 'This email address already has an account; log in instead.')

type NewOwner = { email: string; password: string; name: string; clientAddress: string }

/**
 * Stores a new user with a workspace on the default plan. The ledger is written first: a process that ends in between
 * leaves no workspace without its plan. The plan of an id that never becomes a workspace has no effect. It is removed
 * if another sign-up won; after an error the workspace may exist.
 * @throws Fault `conflict`: the address has an account
 */
const createOwner = async (
  { accounts, ledger, passwords, now, defaultPlan: plan }: Deps,
  { email, password, name, clientAddress }: NewOwner,
): Promise<{ user: User; workspace: StoredWorkspace }> => {
  const passwordHash = await passwords.hash(password, clientAddress)
  const at = now()
  const user = newUser({ id: newId('usr'), email, passwordHash, createdAt: at })
  const workspace = newWorkspace({ id: newId('ws'), name, plan, createdAt: at })
  const isWritten = plan !== newAllowance.plan
  if (isWritten) await ledger.setAllowance(workspace.id, { plan, since: at })
  const audit = newEntry(
    { actor: user.id, clientAddress, at },
    { workspace: workspace.id, action: 'workspace.create', target: workspace.id, after: { name, plan } },
  )
  if (!(await accounts.insertOwner(user, workspace, audit))) {
    if (isWritten) await ledger.deleteAllowance(workspace.id)
    throw addressInUseFault()
  }
  return { user, workspace }
}

/** Whether the password is wrong. A missing or wrong code is reported: only the right password leads to it. */
const isUnknownPerson = (thrown: unknown): boolean => hasCode(thrown, 'unauthenticated') && thrown.problems.length === 0

/**
 * Makes a workspace for a user who is a member of none any more, and who could neither log in nor sign up otherwise. To
 * all others the address is in use.
 */
const signUpAgain = async (deps: Deps, user: User, name: string, request: SignUpRequest__Output) => {
  if ((await deps.accounts.memberships(user.id)).length > 0) throw addressInUseFault()
  const { email, password, client_address: clientAddress } = request
  await identify(deps, { email, password, client_address: clientAddress, code: request.code ?? '' }).catch(
    (thrown: unknown) => {
      throw isUnknownPerson(thrown) ? addressInUseFault() : thrown
    },
  )
  const workspace = await insertOwned(deps, { user: user.id, name, clientAddress })
  return openSession(deps, { user, role: 'owner', workspace, clientAddress, userAgent: request.user_agent ?? '' })
}

/** Creates a user, a workspace and a session. */
export const signUp = async (deps: Deps, request: SignUpRequest__Output): Promise<SessionReply> => {
  refuseClosedSignUp(deps)
  await limitSignUps(deps, request.client_address)
  const { email, name } = checkedRequest(request)
  // Read before the costly hash; of two concurrent sign-ups the store rejects the second.
  const known = await deps.accounts.userByEmail(email)
  if (known !== null) return signUpAgain(deps, known, name, request)
  if (request.code) {
    const message = 'A new account has no two-factor authentication, so no code is checked; leave `code` out.'
    throw invalid({ path: 'code', code: 'not_used', message })
  }
  const clientAddress = request.client_address
  const { user, workspace } = await createOwner(deps, { email, password: request.password, name, clientAddress })
  const userAgent = request.user_agent ?? ''
  const session = await openSession(deps, { user, role: 'owner', workspace, clientAddress, userAgent })
  postConfirmation(deps, user)
  return session
}

/** The secrets of the first workspace; they are shown once. */
export type FirstWorkspace = { ownerEmail: string; password: string; testKey: string }

const passwordBytes = 15

/** A reserved name (RFC 6761 §6.3), so the address belongs to no one. */
export const firstOwnerEmail = 'owner@postrider.localhost'

/** Creates the first owner and workspace of an installation. @returns null: a workspace exists already */
export const ensureFirstWorkspace = async (deps: Deps): Promise<FirstWorkspace | null> => {
  if ((await deps.accounts.listWorkspaces(null, 1)).length > 0) return null
  const password = Buffer.from(deps.random(passwordBytes)).toString('base64url')
  const owner = { email: firstOwnerEmail, password, name: 'My workspace', clientAddress: '' }
  const { user, workspace } = await createOwner(deps, owner)
  const { secret: testKey } = await createKey(deps, {
    workspace: workspace.id,
    user: user.id,
    name: 'First test key',
    scopes: [],
    mode: 'test',
    expires_at: null,
    domains: [],
    networks: [],
    recipients: [],
  })
  return { ownerEmail: firstOwnerEmail, password, testKey }
}
