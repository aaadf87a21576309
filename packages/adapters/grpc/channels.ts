import { type ChannelOptions, Client, connectivityState } from '@grpc/grpc-js'
import { framingBytes } from '@postrider/kit/grpc/callBatches.ts'
import { clientCredentials, type PeerTls } from '@postrider/kit/grpc/credentials.ts'

export type OpenChannelsOptions = {
  /** `host:port` of a name that stands for all replicas, or of each replica, comma-separated. */
  address: string
  tls: PeerTls | undefined
  /** Name of the calling process. */
  name: string
  messageBytes: number
  /**
   * Whether the channels have connections of their own; otherwise gRPC shares those to the same address. Default:
   * false.
   */
  isSeparate?: boolean
}

export type Channels = Disposable & {
  /** Returns the client for the next call: the replicas that are connected take turns. */
  next(): Client
}

/**
 * gRPC finds a lost replica again within a second, while calls to it are still retried, and detects a hanging replica
 * by its missing keepalive response, within 9 s. A process on a busy machine needs seconds for that response, and with
 * its connection all its calls would end. A name with several addresses is balanced by gRPC itself.
 */
const channelOptions: ChannelOptions = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 4_000,
  'grpc.keepalive_permit_without_calls': 1,
}

/** After this time without a call a separate connection is closed: most processes make few calls on it. */
const unusedMs = 30_000

/** Returns the state of a channel, and connects it if it is idle. */
const stateOf = (client: Client): connectivityState => client.getChannel().getConnectivityState(true)

/**
 * Opens one channel for each host of the address: a gRPC target is one name or several IP addresses, not several names.
 * A channel connects with its first call and again after each loss.
 */
export const openChannels = ({ address, tls, name, messageBytes, isSeparate }: OpenChannelsOptions): Channels => {
  const credentials = clientCredentials(tls)
  const options: ChannelOptions = {
    ...channelOptions,
    'grpc.primary_user_agent': name,
    ...(isSeparate && { 'grpc.use_local_subchannel_pool': 1, 'grpc.client_idle_timeout_ms': unusedMs }),
    'grpc.max_receive_message_length': messageBytes + framingBytes,
    'grpc.max_send_message_length': messageBytes + framingBytes,
    ...(tls?.serverName !== undefined && { 'grpc.ssl_target_name_override': tls.serverName }),
  }
  const hosts = address.split(',').flatMap((part) => part.trim() || [])
  const clients = hosts.map((host) => new Client(`dns:///${host}`, credentials, options))
  const [only] = clients
  if (!only) throw new Error(`no host in the address ${address}`)
  let turn = 0
  let lastConnected: readonly Client[] = []
  /**
   * Returns the connected channels. While there are none, for example because every connection has reached its age,
   * those that were connected last: they return first, and a call on a channel that only hangs waits until its
   * deadline.
   */
  const candidatesNow = (): readonly Client[] => {
    const states = clients.map((client) => ({ client, state: stateOf(client) }))
    const connected = states.filter(({ state }) => state === connectivityState.READY).map(({ client }) => client)
    if (connected.length > 0) {
      lastConnected = connected
      return connected
    }
    const opening = states
      .filter(({ state }) => state !== connectivityState.TRANSIENT_FAILURE)
      .map(({ client }) => client)
    const returning = opening.filter((client) => lastConnected.includes(client))
    return [returning, opening, clients].find((group) => group.length > 0) ?? clients
  }
  const next = (): Client => {
    const candidates = candidatesNow()
    turn = (turn + 1) % candidates.length
    return candidates[turn] ?? only
  }
  return {
    next: clients.length === 1 ? () => only : next,
    [Symbol.dispose]: () => {
      for (const client of clients) client.close()
    },
  }
}
