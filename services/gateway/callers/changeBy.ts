import { actorIdOf } from '@postrider/domain/accounts/apiKey.ts'
import type { Identity } from '../deps.ts'

/** Returns what the services need of the caller of a change: the workspace, and what its audit entry contains. */
export const changeBy = ({ caller, clientAddress }: Identity & { clientAddress: string }) => ({
  workspace: caller.workspace,
  actor: actorIdOf(caller),
  clientAddress,
})
