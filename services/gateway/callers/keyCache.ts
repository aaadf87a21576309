import type { Accounts, Caller } from '@postrider/contracts/services.ts'
import { cachedRead } from '@postrider/kit/cachedRead.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'

/** Caches lookups of API keys for seconds: many requests come with the same key. */
export type KeyCache = {
  /**
   * @param hash SHA-256 of the key, as base64
   * @throws Fault `unauthenticated`, `forbidden` of the accounts service; refusals are not cached
   */
  caller(hash: string, clientAddress: string): Caller | Promise<Caller>
  /** Drops the matching entries, so that a change made by this gateway takes effect here immediately. */
  forget(matches: (caller: Caller) => boolean): void
}

export const makeKeyCache = (
  accounts: Pick<Accounts, 'AuthenticateKey'>,
  { keyCacheMs, keyCacheEntries }: { keyCacheMs: number; keyCacheEntries: number },
  elapsed: Monotonic,
): KeyCache => {
  const lookUp = (name: string): Promise<Caller> => {
    const [hash = '', clientAddress = ''] = name.split(' ')
    return accounts.AuthenticateKey({ hash: Buffer.from(hash, 'base64'), client_address: clientAddress })
  }
  const callers = cachedRead({ read: lookUp, freshMs: keyCacheMs, max: keyCacheEntries, elapsed })
  return {
    // The client's address is part of the name because a key may be limited to networks.
    caller: (hash, clientAddress) => callers.get(`${hash} ${clientAddress}`),
    // A lookup in flight may return the state before the change, so it is dropped too.
    forget: callers.forgetWhere,
  }
}
