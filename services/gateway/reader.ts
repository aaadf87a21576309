import type { Reader__Output as Reader } from '@postrider/contracts/gen/postrider/intake/v1/Reader.ts'
import type { Asker } from './context.ts'

/** Scopes that open reading of mail: a key that may only send reads what it sent itself. */
export const readScopes = ['emails:read', 'emails:send'] as const

/** Which mail somebody sees: a key that of its own mode, a session both. */
export const readerOf = ({ caller, session }: Asker): Reader => ({
  workspace: caller.workspace,
  mode: session ? '' : caller.mode,
  sent_by: caller.scopes.includes('emails:read') ? '' : caller.key_id,
  actor: caller.key_id || caller.user_id,
})
