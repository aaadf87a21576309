import { useNow } from '../../ui/RelativeTime.tsx'
import type { Column } from '../../ui/Table.tsx'
import { absoluteTime, hourMs, relativeTime } from '../../ui/times.ts'

/** Shows when a person was seen last. The time is stored to the hour, so minutes would be wrong. */
export const LastSeen = ({ at, className }: { at: string; className?: string }) => {
  const [since, now] = [Date.parse(at), useNow()]
  return (
    <time dateTime={at} title={`In the hour from ${absoluteTime(at)}`} className={className}>
      {now - since < hourMs ? 'in the last hour' : relativeTime(since, now)}
    </time>
  )
}

/** The column of when a person was last seen. */
export const seenColumn: Column<{ last_seen_at: string | null }> = {
  name: 'seen',
  header: 'Last seen',
  from: 'sm',
  className: 'w-32',
  cell: ({ last_seen_at }) =>
    last_seen_at === null ? (
      <span className="text-faint">–</span>
    ) : (
      <LastSeen at={last_seen_at} className="text-muted" />
    ),
}
