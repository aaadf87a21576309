import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'

/** Caches look-ups of API keys for seconds: many requests come with the same key. */
export type KeyCache = {
  /** @param hash SHA-256 of the key
   * @throws Fault `unauthenticated`, `forbidden` of the accounts service; refusals are not cached */
  caller(hash: Buffer, clientAddress: string): Promise<Caller>
  /** Drops the matching entries, so that a change made by this gateway takes effect here immediately. */
  forget(matches: (caller: Caller) => boolean): void
}

type Entry = { until: number; lookUp: Promise<Caller>; caller: Caller | null }

export const makeKeyCache = (
  accounts: Pick<Accounts, 'AuthenticateKey'>,
  { keyCacheMs, keyCacheEntries }: { keyCacheMs: number; keyCacheEntries: number },
  now: Clock,
): KeyCache => {
  const entries = new Map<string, Entry>()

  const lookUpCaller = (name: string, hash: Buffer, clientAddress: string): Promise<Caller> => {
    const oldest = entries.size >= keyCacheEntries ? entries.keys().next().value : undefined
    if (oldest !== undefined) entries.delete(oldest)
    const lookUp = accounts.AuthenticateKey({ hash, client_address: clientAddress })
    const entry: Entry = { until: now() + keyCacheMs, lookUp, caller: null }
    entries.delete(name)
    entries.set(name, entry)
    const drop = () => entries.get(name) === entry && entries.delete(name)
    lookUp.then((caller) => {
      entry.caller = caller
    }, drop)
    return lookUp
  }

  return {
    // The client's address is part of the name because a key may be limited to networks.
    caller: (hash, clientAddress) => {
      const name = `${hash.toString('base64')} ${clientAddress}`
      const entry = entries.get(name)
      return entry && entry.until > now() ? entry.lookUp : lookUpCaller(name, hash, clientAddress)
    },
    forget: (matches) => {
      // A look-up in flight may return the state before the change, so it is dropped too.
      for (const [name, { caller }] of entries) if (!caller || matches(caller)) entries.delete(name)
    },
  }
}
