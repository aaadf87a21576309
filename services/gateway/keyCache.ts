import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'

/** Look-ups of API keys, remembered for moments: requests come in rows under one key. */
export type KeyCache = {
  /** @param hash SHA-256 of the key
   * @throws Fault `unauthenticated`, `forbidden`: as the accounts say; neither is remembered */
  caller(hash: Buffer, clientAddress: string): Promise<Caller>
  /** Forgets whoever is meant, so that what this gateway changed counts here at once. */
  forget(meant: (caller: Caller) => boolean): void
}

type Entry = { until: number; asked: Promise<Caller>; caller: Caller | null }

export const makeKeyCache = (
  accounts: Pick<Accounts, 'AuthenticateKey'>,
  { keyCacheMs, keyCacheEntries }: { keyCacheMs: number; keyCacheEntries: number },
  now: Clock,
): KeyCache => {
  const entries = new Map<string, Entry>()

  const ask = (name: string, hash: Buffer, clientAddress: string): Promise<Caller> => {
    const oldest = entries.size >= keyCacheEntries ? entries.keys().next().value : undefined
    if (oldest !== undefined) entries.delete(oldest)
    const asked = accounts.AuthenticateKey({ hash, client_address: clientAddress })
    const entry: Entry = { until: now() + keyCacheMs, asked, caller: null }
    entries.delete(name)
    entries.set(name, entry)
    const drop = () => entries.get(name) === entry && entries.delete(name)
    asked.then((caller) => {
      entry.caller = caller
    }, drop)
    return asked
  }

  return {
    // The client's address is part of the question: a key may be tied to networks.
    caller: (hash, clientAddress) => {
      const name = `${hash.toString('base64')} ${clientAddress}`
      const entry = entries.get(name)
      return entry && entry.until > now() ? entry.asked : ask(name, hash, clientAddress)
    },
    forget: (meant) => {
      // A look-up on its way may bring what was true before the change, so it goes too.
      for (const [name, { caller }] of entries) if (!caller || meant(caller)) entries.delete(name)
    },
  }
}
