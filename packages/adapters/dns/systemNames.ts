import { withResolver } from './withResolver.ts'

/** Queries of the walk to the resolver of the system: where the walk starts, and the addresses of name servers. */
export type SystemNames = {
  /**
   * Returns the names of the servers of a top-level domain.
   * @throws an error with a code of `node:dns`; `ECANCELLED`: it was aborted
   */
  serversOf(topLevel: string, signal: AbortSignal): Promise<string[]>
  /** Returns the IPv4 and IPv6 addresses of a host; none: it has none, or the resolver did not answer. */
  addressesOf(host: string, signal: AbortSignal): Promise<string[]>
}

/** One try of 2 s, and a second one of 4 s. */
const limits = { timeout: 2_000, tries: 2 }

/** Queries the servers that the system is configured with. */
export const systemNames = (): SystemNames => ({
  serversOf: (topLevel, signal) => withResolver({ ...limits, signal }, (resolver) => resolver.resolveNs(topLevel)),
  addressesOf: (host, signal) =>
    withResolver({ ...limits, signal }, async (resolver) => {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    }),
})
