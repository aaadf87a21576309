import type { RollKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/RollKeyRequest.ts'
import type { CreatedKey } from '@postrider/contracts/services.ts'
import { auditedChange } from '@postrider/domain/audit/entry.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { StoredKey } from '@postrider/ports/accounts.ts'
import { keyState, newEntry } from './auditEntries.ts'
import { type Deps, requirePermission } from './deps.ts'
import { findKey, newKey, refuseMoreThanRole } from './keys.ts'
import { keyRecord } from './records.ts'

const replaced = (successor: string): Fault =>
  new Fault('conflict', `This API key was replaced by ${successor} already; roll that one.`)

const refuseInvalid = ({ revokedAt, expiresAt, rolledTo }: StoredKey, now: number): void => {
  if (revokedAt !== null) throw new Fault('conflict', 'This API key is revoked and cannot be rolled; make a new one.')
  if (rolledTo !== null) throw replaced(rolledTo)
  if (expiresAt !== null && expiresAt <= now) {
    throw new Fault(
      'conflict',
      `This API key expired at ${isoTime(expiresAt)} and cannot be rolled; extend it, or make a new one.`,
    )
  }
}

/**
 * Makes a key with the same name, scopes, mode, limits and expiry, and lets the old one expire at the end of the overlap. An
 * earlier expiry of the old key stays. Both count as the same key: each may read the mail of the other. Of two concurrent
 * requests one is refused, and a successor has every limit that the key gets during the request. A role that does not have the scopes of the key cannot get its successor.
 */
export const rollKey = async (deps: Deps, request: RollKeyRequest__Output): Promise<CreatedKey> => {
  const role = await requirePermission(deps, request, 'keys:write')
  const old = await findKey(deps, request)
  const now = deps.now()
  refuseInvalid(old, now)
  refuseMoreThanRole(old.scopes, role)
  const { workspace, name, scopes, mode, expiresAt, domains, networks, recipients, family } = old
  const made = newKey(deps, { workspace, name, scopes, mode, expiresAt, domains, networks, recipients })
  const successor = { ...made.key, family, rolledFrom: old.id }
  const endsAt = Math.min(now + request.overlap_ms, expiresAt ?? Number.POSITIVE_INFINITY)
  const after = { ...old, rolledTo: successor.id, expiresAt: endsAt }
  const by = { actor: request.user, clientAddress: request.client_address, at: now }
  const change = { before: null, after: null, ...auditedChange(old, after, keyState) }
  const entry = newEntry(by, { workspace, action: 'key.roll', target: old.id, ...change })
  // Another request may have changed, rolled or revoked the key since it was read.
  if (!(await deps.accounts.rollKey({ old, successor, expiresAt: endsAt }, entry))) return rollKey(deps, request)
  return { key: keyRecord(successor, now), secret: made.secret }
}
