import { type ChannelOptions, Client } from '@grpc/grpc-js'
import { clientCredentials, type WireTls } from '@postrider/kit/grpc/credentials.ts'
import { framingBytes } from '@postrider/kit/grpc/wireMessages.ts'
import { hostListTarget } from './hostList.ts'

type Given = {
  /** One name that stands for all replicas, or each of them, comma-separated: `host:port`. */
  address: string
  tls: WireTls | null
  /** Of the calling process. */
  name: string
  messageBytes: number
}

/** Calls go round over all replicas that are there. */
const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] })

/** A lost replica is found again within a second, while calls to it are still repeated; one that hangs is noticed by its missing pong. */
const channelOptions: ChannelOptions = {
  'grpc.service_config': serviceConfig,
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 2_000,
  'grpc.keepalive_permit_without_calls': 1,
}

const targetOf = (address: string): string => {
  const hosts = address.split(',').flatMap((part) => part.trim() || [])
  return hosts.length === 1 ? `dns:///${hosts[0]}` : hostListTarget(hosts)
}

/** Opens a service's channel. It connects with the first call, and again whenever a replica is lost. */
export const openChannel = ({ address, tls, name, messageBytes }: Given): Client =>
  new Client(targetOf(address), clientCredentials(tls), {
    ...channelOptions,
    'grpc.primary_user_agent': name,
    'grpc.max_receive_message_length': messageBytes + framingBytes,
    'grpc.max_send_message_length': messageBytes + framingBytes,
    ...(tls?.serverName !== undefined && { 'grpc.ssl_target_name_override': tls.serverName }),
  })
