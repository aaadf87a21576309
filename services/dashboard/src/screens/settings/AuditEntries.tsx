import { ScrollText, SearchX } from 'lucide-react'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import type { LiveList } from '../../app/useLiveList.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { AuditRows, type Entry } from './AuditRows.tsx'

/**
 * The entries of an audit log that match.
 * @param clear absent: nothing is filtered
 * @param next what the next entry will be about, as a sentence
 */
export const AuditEntries = ({
  list,
  clear,
  next,
  className,
}: {
  list: LiveList<Entry>
  clear?: (() => void) | undefined
  next: string
  className?: string
}) => (
  <>
    <NewRowsButton list={list} one="entry" many="entries" />
    <Panel className={classes('overflow-hidden', className)}>
      {list.error !== null && list.items.length === 0 ? (
        <ErrorState error={list.error} onRetry={list.retry} />
      ) : list.isReading && list.items.length === 0 ? (
        <SkeletonRows label="Reading the audit log" rows={10} />
      ) : list.items.length > 0 ? (
        <AuditRows entries={list.items} />
      ) : clear ? (
        <EmptyState icon={SearchX} title="No such entry" action={<Button onClick={clear}>Show all entries</Button>}>
          Nothing matches these filters.
        </EmptyState>
      ) : (
        <EmptyState icon={ScrollText} title="No entry yet">
          {next}
        </EmptyState>
      )}
    </Panel>
    {list.items.length > 0 && <ListEnd list={list} many="entries" />}
  </>
)
