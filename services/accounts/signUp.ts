import type { SessionReply__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import type { SignUpRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SignUpRequest.ts'
import {
  longestWorkspaceName,
  normaliseEmail,
  passwordProblems,
  textProblems,
} from '@postrider/domain/accounts/textRules.ts'
import { newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { auditNetwork, rateLimitClient } from '@postrider/domain/network.ts'
import { newAllowance } from '@postrider/domain/quota/plans.ts'
import { Fault, invalid, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import { createKey } from './keys.ts'
import { openSession } from './session.ts'

/** Also the answer for `invite`: there are no invitations yet. */
const closedMessage = 'Sign-up is closed on this service; ask its operator for an account.'

const limitSignUps = async ({ limiter, limits, now }: Deps, clientAddress: string): Promise<void> => {
  const verdict = await limiter.take([{ key: `${rateLimitClient(clientAddress)}/signup`, ...limits.signUp }], 1, now())
  if (verdict.admitted) return
  const detail = 'Too many sign-ups from your address (30 an hour); try again after the time in Retry-After.'
  throw new Fault('rate_limited', detail, { retryAfterMs: verdict.retryAfterMs })
}

const checkedRequest = (request: SignUpRequest__Output): { email: string; name: string } => {
  const email = normaliseEmail(request.email)
  const others = [
    ...passwordProblems('password', request.password),
    ...textProblems('workspace_name', request.workspace_name, { max: longestWorkspaceName }),
  ]
  if (!('email' in email)) throw invalid({ path: 'email', ...email }, ...others)
  refuseAny(others)
  return { email: email.email, name: request.workspace_name.trim() }
}

const addressInUse = () => new Fault('conflict', 'This email address has an account already; log in instead.')

type NewOwner = { email: string; password: string; name: string; clientAddress: string }

/**
 * Stores a new user with a workspace on the default plan. The ledger is written first: a process that ends in between
 * leaves no workspace without its plan. The plan of an id that never becomes a workspace has no effect. It is removed if
 * another sign-up won; after an error the workspace may exist.
 * @throws Fault `conflict`: the address has an account
 */
const createOwner = async (
  { accounts, audit, ledger, passwords, now, defaultPlan: plan }: Deps,
  { email, password, name, clientAddress }: NewOwner,
): Promise<{ user: User; workspace: StoredWorkspace }> => {
  const passwordHash = await passwords.hash(password, clientAddress)
  const at = now()
  const user: User = { id: newId('usr'), email, passwordHash, createdAt: at }
  const workspace = newWorkspace({ id: newId('ws'), name, plan, createdAt: at })
  const isWritten = plan !== newAllowance.plan
  if (isWritten) await ledger.setAllowance(workspace.id, { plan })
  if (!(await accounts.insertOwner(user, workspace))) {
    if (isWritten) await ledger.deleteAllowance(workspace.id)
    throw addressInUse()
  }
  const detail = { network: auditNetwork(clientAddress) }
  await audit.record({ workspace: workspace.id, at, actor: user.id, action: 'workspace.create', target: '', detail })
  return { user, workspace }
}

/** Creates a user, a workspace and a session. */
export const signUp = async (deps: Deps, request: SignUpRequest__Output): Promise<SessionReply__Output> => {
  if (deps.signup !== 'open') throw new Fault('forbidden', closedMessage)
  await limitSignUps(deps, request.client_address)
  const { email, name } = checkedRequest(request)
  // Read before the costly hash; of two concurrent sign-ups the store rejects the second.
  if ((await deps.accounts.userByEmail(email)) !== null) throw addressInUse()
  const clientAddress = request.client_address
  const { user, workspace } = await createOwner(deps, { email, password: request.password, name, clientAddress })
  return openSession(deps, { user, role: 'owner', workspace, clientAddress })
}

/** The secrets of the first workspace; they are shown once. */
export type FirstWorkspace = { ownerEmail: string; password: string; testKey: string }

const passwordBytes = 15

/** A reserved name (RFC 6761 §6.3), so the address belongs to no one. */
const ownerEmail = 'owner@postrider.localhost'

/** See `OpenAccounts`. */
export const ensureFirstWorkspace = async (deps: Deps): Promise<FirstWorkspace | null> => {
  if ((await deps.accounts.listWorkspaces(null, 1)).length > 0) return null
  const password = Buffer.from(deps.random(passwordBytes)).toString('base64url')
  const owner = { email: ownerEmail, password, name: 'My workspace', clientAddress: '' }
  const { user, workspace } = await createOwner(deps, owner)
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
