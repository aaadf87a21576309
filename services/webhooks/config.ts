import { listParts } from '@postrider/domain/network.ts'
import { defaultWebhookPorts } from '@postrider/domain/webhooks/url.ts'
import * as backend from '@postrider/kit/backendSettings.ts'
import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

const maxPort = 65_535

/** Port numbers, comma-separated; unset: that of HTTPS. */
const webhookPorts = z
  .string()
  .default(defaultWebhookPorts.join(','))
  .transform((text, context) => {
    const ports = listParts(text).map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : 0))
    if (ports.length > 0 && ports.every((port) => port > 0 && port <= maxPort)) return ports
    context.addIssue(`must be port numbers of 1 to ${maxPort}, comma-separated, such as 443,8443`)
    return z.NEVER
  })

/** Settings that define where webhooks may go. */
const webhookTargets = {
  POSTRIDER_WEBHOOK_ALLOW: settings.networks.describe(
    'Addresses or CIDRs that webhooks may reach although they are not public, comma-separated. Plain http and every port of HTTP are allowed only there. Every customer who may add a webhook reaches what listens there, docs/operations/webhooks.md.',
  ),
  POSTRIDER_WEBHOOK_PORTS: webhookPorts.describe('Ports that webhooks may use at public addresses, comma-separated.'),
}

/** Environment variables of the webhooks process. */
export const Config = z
  .object({
    ...peer.grpcPort,
    ...peer.peerSecurity,
    ...peer.callerTokens.gateway,
    ...backend.mongo,
    ...backend.kafka,
    ...settings.masterSecret,
    ...settings.dns,
    ...webhookTargets,
    ...settings.recordDays,
    POSTRIDER_MAX_WEBHOOKS: settings
      .count('webhooks', 100)
      .describe('Maximum number of webhook endpoints of a workspace; above it new ones are refused.'),
    POSTRIDER_WEBHOOK_REQUESTS: settings
      .count('requests', 256)
      .describe(
        'Requests to webhook endpoints of one workspace at the same time, in each process; another eighth is for other workspaces.',
      ),
    ...settings.ops,
  })
  .superRefine(peer.allTlsFiles, settings.always)
  .superRefine(backend.wholeKafkaLogin, settings.always)
  .superRefine(peer.callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY'), settings.always)

export type Config = z.output<typeof Config>
