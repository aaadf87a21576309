import type { ResolverOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'

type WithResolverOptions = ResolverOptions & { signal: AbortSignal; servers?: readonly string[] }

/**
 * Queries DNS with a resolver of its own. When the signal is aborted, the queries end with `ECANCELLED`.
 * @param servers `address:port`; none: those of the system
 */
export const withResolver = async <Result>(
  { signal, servers = [], ...options }: WithResolverOptions,
  query: (resolver: Resolver) => Promise<Result>,
): Promise<Result> => {
  const resolver = new Resolver(options)
  if (servers.length > 0) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const result = query(resolver)
    if (signal.aborted) cancel()
    return await result
  } finally {
    signal.removeEventListener('abort', cancel)
    // After one query has failed, another may still run.
    cancel()
  }
}
