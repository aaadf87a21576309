import type { Accounts, Caller } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'

/** Caches lookups of API keys for seconds: many requests come with the same key. */
export type KeyCache = {
  /**
   * @param hash SHA-256 of the key, as base64
   * @throws Fault `unauthenticated`, `forbidden` of the accounts service; refusals are not cached
   */
  caller(hash: string, clientAddress: string): Promise<Caller>
  /** Drops the matching entries, so that a change made by this gateway takes effect here immediately. */
  forget(matches: (caller: Caller) => boolean): void
}

type Entry = { lookUp: Promise<Caller>; caller: Caller | null }

export const makeKeyCache = (
  accounts: Pick<Accounts, 'AuthenticateKey'>,
  { keyCacheMs, keyCacheEntries }: { keyCacheMs: number; keyCacheEntries: number },
  now: Clock,
): KeyCache => {
  const entries = ttlCache<Entry>({ freshMs: keyCacheMs, max: keyCacheEntries, now })

  const lookUpCaller = (name: string, hash: string, clientAddress: string): Promise<Caller> => {
    const lookUp = accounts.AuthenticateKey({ hash: Buffer.from(hash, 'base64'), client_address: clientAddress })
    const entry: Entry = { lookUp, caller: null }
    entries.set(name, entry, now())
    const drop = () => entries.get(name) === entry && entries.delete(name)
    lookUp.then((caller) => {
      entry.caller = caller
    }, drop)
    return lookUp
  }

  return {
    // The client's address is part of the name because a key may be limited to networks.
    caller: (hash, clientAddress) => {
      const name = `${hash} ${clientAddress}`
      return entries.get(name)?.lookUp ?? lookUpCaller(name, hash, clientAddress)
    },
    // A lookup in flight may return the state before the change, so it is dropped too.
    forget: (matches) => entries.deleteWhere(({ caller }) => !caller || matches(caller)),
  }
}
