import type { Column } from '../../ui/Table.tsx'
import { LastSeen } from './LastSeen.tsx'

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
