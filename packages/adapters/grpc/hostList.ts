import { lookup } from 'node:dns/promises'
import { experimental, Metadata, status } from '@grpc/grpc-js'

type Listener = experimental.ResolverListener
type Endpoints = experimental.Endpoint[]
type Target = { path: string }

/** How soon hosts are looked up again, at the earliest. */
const restMs = 1_000

const scheme = 'postrider-hosts'

/** gRPC's own resolvers know one name, or several addresses, not several names: a target of any `host:port`s. */
export const hostListTarget = (hosts: readonly string[]): string => {
  experimental.registerResolver(scheme, resolverType as unknown as Parameters<typeof experimental.registerResolver>[1])
  return `${scheme}:///${hosts.join(',')}`
}

const endpointsOf = async (hostPort: string): Promise<Endpoints> => {
  const { host, port } = experimental.splitHostPort(hostPort) ?? {}
  if (host === undefined || port === undefined) return []
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => ({ addresses: [{ host: address, port }] }))
}

/** A resolver as gRPC makes it, with `new`. It looks up all hosts whenever a connection is lost. */
const resolverType = Object.assign(
  function hostListResolver({ path }: Target, listener: Listener): experimental.Resolver {
    const state = { timer: null as NodeJS.Timeout | null, again: false, gone: false }
    const look = async (): Promise<void> => {
      const endpoints = (await Promise.all(path.split(',').map(endpointsOf))).flat()
      if (state.gone) return
      listener(endpoints.length > 0 ? experimental.statusOrFromValue(endpoints) : nobody(path), {}, null, '')
    }
    const rest = (): NodeJS.Timeout =>
      setTimeout(() => {
        state.timer = null
        if (!state.again) return
        state.again = false
        updateResolution()
      }, restMs).unref()
    const updateResolution = (): void => {
      state.gone = false
      if (state.timer) {
        state.again = true
        return
      }
      state.timer = rest()
      void look()
    }
    const destroy = (): void => {
      if (state.timer) clearTimeout(state.timer)
      Object.assign(state, { timer: null, again: false, gone: true })
    }
    return { updateResolution, destroy }
  },
  { getDefaultAuthority: ({ path }: Target): string => path.split(',')[0] ?? '' },
)

const nobody = (hosts: string): experimental.StatusOr<Endpoints> =>
  experimental.statusOrFromError({
    code: status.UNAVAILABLE,
    details: `none of ${hosts} has an address`,
    metadata: new Metadata(),
  })
