import type { RollKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/RollKeyRequest.ts'
import type { CreatedKey } from '@postrider/contracts/services.ts'
import { rolledKey, rollRefusal } from '@postrider/domain/accounts/keyLife.ts'
import { auditedChange } from '@postrider/domain/audit/entry.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { keyState, newEntry } from './auditEntries.ts'
import { type Deps, requirePermission } from './deps.ts'
import { findKey, newSecret, refuseMoreThanRole } from './keys.ts'
import { keyRecord } from './records.ts'

/**
 * Makes a key with the same name, scopes, mode, limits and expiry, and lets the old one expire at the end of the overlap. An
 * earlier expiry of the old key stays. Both count as the same key: each may read the mail of the other. Of two concurrent
 * requests one is refused, and a successor has every limit that the key gets during the request. A role that does not have the scopes of the key cannot get its successor.
 */
export const rollKey = async (deps: Deps, request: RollKeyRequest__Output): Promise<CreatedKey> => {
  const role = await requirePermission(deps, request, 'keys:write')
  const old = await findKey(deps, request)
  const now = deps.now()
  const refusal = rollRefusal(old, now)
  if (refusal !== null) throw new Fault('conflict', refusal)
  refuseMoreThanRole(old.scopes, role)
  const { id, secret } = newSecret(deps, old.mode)
  const { successor, replaced } = rolledKey(old, { id, secret, now, overlapMs: request.overlap_ms })
  const by = { actor: request.user, clientAddress: request.client_address, at: now }
  const change = { before: null, after: null, ...auditedChange(old, replaced, keyState) }
  const entry = newEntry(by, { workspace: old.workspace, action: 'key.roll', target: old.id, ...change })
  // Another request may have changed, rolled or revoked the key since it was read.
  if (!(await deps.accounts.rollKey({ old, successor, expiresAt: replaced.expiresAt }, entry)))
    return rollKey(deps, request)
  return { key: keyRecord(successor, now), secret }
}
