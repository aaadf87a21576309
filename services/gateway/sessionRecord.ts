import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { GatewayConfig } from './deps.ts'

/** A session as the API shows it: who it is, where, as what, and the token for changes. */
export const sessionRecord = async (
  { accounts, config }: { accounts: Pick<Accounts, 'GetWorkspace'>; config: Pick<GatewayConfig, 'sender'> },
  { caller, email, csrfToken }: { caller: Caller; email: string; csrfToken: string },
) => {
  const { id, name, plan } = await accounts.GetWorkspace({ workspace: caller.workspace })
  return {
    user: { id: caller.user_id, email },
    workspace: { id, name, plan, sender: config.sender },
    role: caller.role,
    csrf_token: csrfToken,
  }
}
