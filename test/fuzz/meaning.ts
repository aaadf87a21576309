import fc from 'fast-check'
import { fresh, freshDomain } from '../support/client.ts'
import type { Operation } from './document.ts'
import { type Draw, happens, oneOf } from './values.ts'
import { victimPassword, type World } from './world.ts'

/* Values of fields that mean something to the service, so that requests reach its stores. */

const addresses = [
  'delivered@simulator.postrider.dev',
  'bounced+a@simulator.postrider.dev',
  'deferred@simulator.postrider.dev',
  'Jane Doe <jane@receiver.example>',
  'jörg@bücher.example',
  `${'a'.repeat(64)}@receiver.example`,
]

const address = (draw: Draw): string => (happens(draw, 0.6) ? oneOf(draw, addresses) : fresh())

const anyLabel = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/)
const label = (draw: Draw): string => draw(anyLabel)

const [labelName, labelValue] = [fc.stringMatching(/^[a-z_]{1,12}$/), fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/)]
const anyLabels = fc.dictionary(labelName, labelValue, { maxKeys: 5 })
const labels = (draw: Draw): Record<string, string> => draw(anyLabels)

const idOf = ({ records }: World, draw: Draw, kind: string): string | undefined => {
  const known = records.of(kind, false)
  return known.length === 0 ? undefined : oneOf(draw, known)['id']
}

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Returns undefined for a field whose schema is enough. */
type Meaning = (draw: Draw, world: World) => unknown

const anyOperation: Readonly<Record<string, Meaning>> = {
  to: (draw) => (draw(fc.nat(2)) === 0 ? [address(draw), address(draw)] : [address(draw)]),
  cc: (draw) => oneOf(draw, [address(draw), [address(draw)], []]),
  bcc: (draw) => [address(draw)],
  reply_to: address,
  from_: address,
  template_id: (draw, world) => idOf(world, draw, 'template'),
  domain_id: (draw, world) => idOf(world, draw, 'domain'),
  template_vars: (draw) => ({ name: oneOf(draw, ['Jane', '<b>', '', 7, true]) }),
  headers: (draw) => ({ [`X-${label(draw)}`]: label(draw) }),
  tags: labels,
  metadata: labels,
  attachments: (draw) => [{ filename: `${label(draw)}.txt`, content: Buffer.from(label(draw)).toString('base64') }],
  scheduled_at: (draw) => oneOf(draw, ['PT1H', 'P29D', 'P30D', ago(-24), '2026-02-30T00:00:00Z']),
  expires_in: (draw) => oneOf(draw, ['PT5M', 'P1D', 3_600, 0]),
  retention: (draw) => oneOf(draw, ['none', 'metadata', 1, 30]),
  spending_cap_usd: (draw) => oneOf(draw, ['10.00', '0.00', 5]),
  email: () => fresh('fuzz'),
  password: () => victimPassword,
  current: () => victimPassword,
  url: (draw, { hookUrl }) =>
    oneOf(draw, [hookUrl, 'https://example.com/hooks', 'http://10.0.0.1/', 'ftp://example.com']),
  address: () => fresh('fuzz'),
  networks: () => ['10.0.0.0/8', '2001:db8::/32'],
  domains: () => [],
  recipients: (draw) => [address(draw)],
  overlap: (draw) => oneOf(draw, ['PT0S', 'PT1H', 'P7D', 'P8D']),
  expires_at: () => ago(-24),
  // Members without a second factor could do nothing afterwards.
  require_totp: () => false,
  workspace: (_draw, { tenant }) => tenant.workspace.id,
  amount_usd: (draw) => oneOf(draw, ['1.00', '-1.00', '0.00', '1']),
  html_body: (draw) => oneOf(draw, ['<p>{{name}}</p>', '<p>Hi</p>', '{{#if name}}{{name}}{{/if}}', '{{#each x}}']),
  text_body: (draw) => oneOf(draw, ['{{name}}', 'Hi', '{{{name}}}']),
  cursor: () => undefined,
}

const byOperation: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
  createDomain: { name: () => freshDomain() },
  createTemplate: { name: () => fresh('fuzz') },
  replayWebhook: { from: () => ago(2), to: () => ago(1) },
  listWebhookDeliveries: { event_id: () => undefined },
}

/** Returns a value that has a meaning for a field of an operation; undefined: there is none. */
export const meaningOf = (operation: Operation, name: string, draw: Draw, world: World): unknown =>
  (byOperation[operation.id]?.[name] ?? anyOperation[name])?.(draw, world)
