import type { AuthenticateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/AuthenticateKeyRequest.ts'
import type { Caller__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { StoredKey } from '@postrider/ports/accounts.ts'
import { keyCaller } from './caller.ts'
import type { Deps } from './deps.ts'
import { isWithin } from './networks.ts'

const minuteMs = 60_000

const requireUsable = (key: StoredKey, now: number, clientAddress: string): void => {
  if (key.revokedAt !== null)
    throw new Fault('unauthenticated', `This API key was revoked at ${isoTime(key.revokedAt)}.`)
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new Fault('unauthenticated', `This API key expired at ${isoTime(key.expiresAt)}.`)
  if (key.networks.length > 0 && !isWithin(key.networks, clientAddress))
    throw new Fault('forbidden', 'This API key may not be used from your network address.')
}

/**
 * Tells whose key a hash is: once a request, so one indexed read. Its last use is noted once a minute, later.
 * @throws Fault `unauthenticated`: unknown (one and the same words), revoked or expired (said so);
 *   `forbidden`: used from outside its networks
 */
export const authenticateKey = async (
  { accounts, now, lazily }: Deps,
  request: AuthenticateKeyRequest__Output,
): Promise<Caller__Output> => {
  const found = await accounts.keyByHash(request.hash)
  if (found === null) throw new Fault('unauthenticated', notAuthenticated)
  const { key, workspace } = found
  const at = now()
  requireUsable(key, at, request.client_address)
  const minute = at - (at % minuteMs)
  if (key.lastUsedAt === null || key.lastUsedAt < minute)
    lazily(key.id, minute, () => accounts.touchKey(key.id, minute))
  return keyCaller(key, workspace)
}
