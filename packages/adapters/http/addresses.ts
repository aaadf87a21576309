import { withResolver } from '../dns/withResolver.ts'

/** The addresses of a host, of both families. `failed`: the resolver gave no complete answer. */
export type Resolved = { kind: 'found'; addresses: string[] } | { kind: 'missing' } | { kind: 'failed' }

/** Resolves a name of DNS once. Never rejects; ends early with `failed` when `signal` is aborted. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<Resolved>

export type AddressResolverOptions = {
  /** The servers of POSTRIDER_DNS; none: those of the system. */
  servers?: readonly { address: string; port: number }[]
  tryMs?: number
  tries?: number
}

/** The name does not exist, or it has no address of the family. */
const missingCodes: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Queries a resolver without the thread pool of Node: `dns.lookup` blocks one of its few threads for each host whose
 * servers do not answer. Search domains and /etc/hosts do not apply, and nothing is cached.
 */
export const addressResolver =
  ({ servers = [], tryMs = 2_000, tries = 2 }: AddressResolverOptions = {}): Resolve =>
  async (host, signal) => {
    const options = { signal, servers: servers.map(serverText), timeout: tryMs, tries }
    try {
      const families = await withResolver(options, (resolver) =>
        Promise.all([resolver.resolve4(host).catch(noneIfMissing), resolver.resolve6(host).catch(noneIfMissing)]),
      )
      const addresses = families.flat()
      return addresses.length === 0 ? { kind: 'missing' } : { kind: 'found', addresses }
    } catch {
      // An answer about one family alone could hide the address that decides.
      return { kind: 'failed' }
    }
  }

const noneIfMissing = (error: unknown): string[] => {
  if (missingCodes.includes(codeOf(error))) return []
  throw error
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

const serverText = ({ address, port }: { address: string; port: number }): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
