import type { ApiKey } from '../../api/types.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { scopesText } from './presets.ts'

type KeyState = 'active' | 'revoked' | 'expired'

/** Returns whether a key works. @param now in milliseconds */
export const stateOf = ({ revoked_at, expires_at }: ApiKey, now: number): KeyState => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active'
}

const stateLabels: Readonly<Record<KeyState, { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  revoked: { label: 'Revoked', tone: 'idle' },
  expired: { label: 'Expired', tone: 'idle' },
}

/** Returns the limits of a key as one short text; empty: it has none. */
const limitsText = ({ domains, networks, recipients }: ApiKey): string =>
  [
    domains.length > 0 && `${domains.length} ${domains.length === 1 ? 'domain' : 'domains'}`,
    networks.length > 0 && `${networks.length} ${networks.length === 1 ? 'network' : 'networks'}`,
    recipients.length > 0 && `${recipients.length} ${recipients.length === 1 ? 'recipient' : 'recipients'}`,
  ]
    .filter(Boolean)
    .join(', ')

export const KeyStateBadge = ({ apiKey, now }: { apiKey: ApiKey; now: number }) => {
  const { label, tone } = stateLabels[stateOf(apiKey, now)]
  if (apiKey.rolled_to !== null && stateOf(apiKey, now) === 'active') return <Badge tone="warn">Replaced</Badge>
  if (apiKey.unused_since !== null) return <Badge tone="warn">Unused</Badge>
  return <Badge tone={tone}>{label}</Badge>
}

/** @param open shows one key @param now in milliseconds */
export const keyColumns = (open: (key: ApiKey) => void, now: number): readonly Column<ApiKey>[] => [
  {
    name: 'name',
    header: 'Name',
    cell: (key) => (
      <>
        <button
          type="button"
          data-row-link
          onClick={() => open(key)}
          className={`${rowLink} block max-w-full truncate text-left font-medium`}
        >
          {key.name}
        </button>
        <span className="block truncate font-mono text-tiny text-faint sm:hidden">
          {key.prefix}…{key.last_four}
        </span>
        <span className="block truncate text-tiny text-faint sm:hidden">
          {key.last_used_at === null ? (
            'Never used'
          ) : (
            <>
              Used <RelativeTime at={key.last_used_at} />
            </>
          )}
        </span>
      </>
    ),
  },
  {
    name: 'key',
    header: 'Key',
    from: 'sm',
    className: 'w-[24%]',
    cell: ({ prefix, last_four }) => (
      <span className="block truncate font-mono text-tiny leading-5 text-muted">
        {prefix}…{last_four}
      </span>
    ),
  },
  {
    name: 'scopes',
    header: 'Permissions',
    from: 'md',
    className: 'w-[22%]',
    cell: (key) => (
      <span className="block truncate text-muted">
        {[scopesText(key.scopes), limitsText(key)].filter(Boolean).join(' · ')}
      </span>
    ),
  },
  {
    name: 'used',
    header: 'Last used',
    from: 'sm',
    className: 'w-28',
    cell: ({ last_used_at }) => (
      <span className="text-muted">{last_used_at === null ? 'Never' : <RelativeTime at={last_used_at} />}</span>
    ),
  },
  {
    name: 'state',
    header: 'State',
    className: 'w-24 text-right',
    cell: (key) => <KeyStateBadge apiKey={key} now={now} />,
  },
]
