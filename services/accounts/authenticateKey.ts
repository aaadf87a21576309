import type { AuthenticateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/AuthenticateKeyRequest.ts'
import type { Caller } from '@postrider/contracts/services.ts'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { useRefusal } from '@postrider/domain/accounts/keyLife.ts'
import { isInNetworks } from '@postrider/domain/network.ts'
import { minuteMs } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { StoredKey } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import { keyCaller } from './records.ts'

const requireUsable = (key: StoredKey, now: number, clientAddress: string): void => {
  const refusal = useRefusal(key, now)
  if (refusal !== null) throw new Fault('unauthenticated', refusal)
  if (key.networks.length > 0 && !isInNetworks(key.networks, clientAddress)) throw outsideNetworksFault(clientAddress)
}

/** The address is the client's own. The networks of the key are not named: the client may have found or stolen it. */
const outsideNetworksFault = (clientAddress: string): Fault =>
  new Fault(
    'forbidden',
    `This API key may not be used from ${clientAddress || 'an unknown address'}; use it from its networks, or change them.`,
  )

/**
 * Returns the caller that a key's hash belongs to. It runs once per request, so it is one indexed read; the time of
 * last use and its address are written at most once a minute, after the response.
 * @throws Fault `unauthenticated`: unknown (always the same text), revoked or expired (the text names which);
 *   `forbidden`: used from outside the key's networks
 */
export const authenticateKey = async (
  { accounts, now, deferWrite }: Deps,
  request: AuthenticateKeyRequest__Output,
): Promise<Caller> => {
  const found = await accounts.keyByHash(request.hash)
  if (found === null) throw new Fault('unauthenticated', notAuthenticated)
  const { key, workspace } = found
  const at = now()
  requireUsable(key, at, request.client_address)
  const minute = at - (at % minuteMs)
  if (key.lastUsedAt === null || key.lastUsedAt < minute)
    deferWrite(key.id, minute, () => accounts.touchKey(key.id, minute, request.client_address))
  return keyCaller(key, workspace)
}
