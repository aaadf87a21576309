import type { SessionReply__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import type { SignUpRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SignUpRequest.ts'
import {
  longestWorkspaceName,
  normaliseEmail,
  passwordProblems,
  textProblems,
} from '@postrider/domain/accounts/accountRules.ts'
import { Fault, invalid, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import { clientOf, networkOf } from './clientAddress.ts'
import type { Deps } from './deps.ts'
import { openSession } from './session.ts'

/** Also where only who was invited may: nobody can be, yet. */
const closed = 'Sign-up is closed here; ask who runs this service.'

const limitSignUps = async ({ limiter, limits, now }: Deps, clientAddress: string): Promise<void> => {
  const verdict = await limiter.take([{ key: `${clientOf(clientAddress)}/signup`, ...limits.signUp }], 1, now())
  if (verdict.admitted) return
  const detail = 'Too many sign-ups came from your address (30 an hour); try again later.'
  throw new Fault('rate_limited', detail, { retryAfterMs: verdict.retryAfterMs })
}

const checked = (request: SignUpRequest__Output): { email: string; name: string } => {
  const email = normaliseEmail(request.email)
  const others = [
    ...passwordProblems('password', request.password),
    ...textProblems('workspace_name', request.workspace_name, { max: longestWorkspaceName }),
  ]
  if (!('email' in email)) throw invalid({ path: 'email', ...email }, ...others)
  refuseAny(others)
  return { email: email.email, name: request.workspace_name.trim() }
}

const newWorkspace = (name: string, createdAt: number): StoredWorkspace => ({
  id: newId('ws'),
  name,
  plan: 'free',
  senderName: '',
  postalAddress: '',
  onUnknown: 'retry',
  retention: '',
  spendingCapUsd: null,
  suspended: false,
  note: '',
  rate: null,
  burst: null,
  createdAt,
})

const addressKnown = () =>
  new Fault('conflict', 'There is an account with this e-mail address already; log in instead.')

/**
 * Keeps a new user with a workspace of their own on Free.
 * @throws Fault `conflict`: the address has an account
 */
export const makeOwner = async (
  { accounts, audit, passwords, now }: Deps,
  { email, password, name, clientAddress }: { email: string; password: string; name: string; clientAddress: string },
): Promise<{ user: User; workspace: StoredWorkspace }> => {
  const passwordHash = await passwords.hash(password)
  const at = now()
  const user: User = { id: newId('usr'), email, passwordHash, createdAt: at }
  const workspace = newWorkspace(name, at)
  if (!(await accounts.insertOwner(user, workspace))) throw addressKnown()
  const detail = { network: networkOf(clientAddress) }
  await audit.record({ workspace: workspace.id, at, actor: user.id, action: 'workspace.create', target: '', detail })
  return { user, workspace }
}

/** Makes a user, their workspace and a session. */
export const signUp = async (deps: Deps, request: SignUpRequest__Output): Promise<SessionReply__Output> => {
  if (deps.signup !== 'open') throw new Fault('forbidden', closed)
  await limitSignUps(deps, request.client_address)
  const { email, name } = checked(request)
  // Asked before the costly hash; who is faster in between is refused by the store.
  if ((await deps.accounts.userByEmail(email)) !== null) throw addressKnown()
  const clientAddress = request.client_address
  const { user, workspace } = await makeOwner(deps, { email, password: request.password, name, clientAddress })
  return openSession(deps, { user, role: 'owner', workspace, clientAddress })
}
