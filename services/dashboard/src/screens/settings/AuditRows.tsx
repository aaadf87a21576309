import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { AuditEntry } from '../../api/auditLog.ts'
import { classes } from '../../ui/classes.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Id } from '../../ui/Id.tsx'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'
import { useOpenRows } from '../../ui/useOpenRows.ts'
import { useRowKeys } from '../../ui/useRowKeys.ts'
import { actionText, actorText, changesOf, subjectText } from './auditTexts.ts'

/** An entry. The operator's has the workspace that it is about; null: none. */
export type Entry = AuditEntry & { workspace?: string | null }

/** The entries of the log. Each opens in place and shows its fields before and after. */
export const AuditRows = ({ entries }: { entries: readonly Entry[] }) => {
  const [opened, toggle] = useOpenRows()
  const keys = useRowKeys<HTMLUListElement>()
  return (
    <ul data-rows aria-label="Entries" className="divide-y divide-line text-small" {...keys}>
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} isOpen={opened.has(entry.id)} onToggle={toggle} />
      ))}
    </ul>
  )
}

type RowProps = { entry: Entry; isOpen: boolean; onToggle: (id: string) => void }

/** A change of one row, and a read that brings the same entries, render no other. */
const AuditRow = memo(({ entry, isOpen, onToggle }: RowProps) => (
  <li>
    <button
      type="button"
      data-row-link
      aria-expanded={isOpen}
      onClick={() => onToggle(entry.id)}
      className="grid w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:grid-cols-[1rem_11rem_minmax(0,1fr)_auto]"
    >
      <ChevronRight aria-hidden className={classes('size-4 text-faint transition-transform', isOpen && 'rotate-90')} />
      <span className="min-w-0 truncate font-medium" title={entry.action}>
        {actionText(entry.action)}
      </span>
      <span className="flex min-w-0 gap-3 max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2">
        <span className="min-w-0 truncate text-muted md:w-52 md:shrink-0">{actorText(entry.actor)}</span>
        <span className="min-w-0 truncate text-muted max-md:hidden">{subjectText(entry)}</span>
      </span>
      <RelativeTime
        at={entry.created_at}
        className="whitespace-nowrap text-faint max-sm:col-start-3 max-sm:row-start-1"
      />
    </button>
    {isOpen && <AuditDetails entry={entry} />}
  </li>
))

/** Link to a workspace, for the operator, who reads the entries of all workspaces. */
const WorkspaceLink = ({ id }: { id: string }) => (
  <Link
    to="/operator/workspaces/$id"
    params={{ id }}
    title={id}
    className="block truncate font-mono text-tiny leading-5 underline underline-offset-2"
  >
    {id}
  </Link>
)

const AuditDetails = ({ entry }: { entry: Entry }) => {
  const { actor, action, target, client_address, created_at, id, redactions, workspace } = entry
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Action',
      <span key="action" className="font-mono text-tiny">
        {action}
      </span>,
    ],
    ['Time', <AbsoluteTime key="time" at={created_at} />],
    ...(workspace ? ([['Workspace', <WorkspaceLink key="workspace" id={workspace} />]] as const) : []),
    ...(actor.id === null ? [] : ([['Actor', <Id key="actor" id={actor.id} label="id of the actor" />]] as const)),
    ...(target === null ? [] : ([['Object', <Id key="target" id={target} label="id of the object" />]] as const)),
    ...(client_address === null ? [] : ([['Client address', client_address]] as const)),
    ['Entry', <Id key="entry" id={id} label="id of the entry" />],
  ]
  const changes = changesOf(entry)
  return (
    <div className="flex flex-col gap-4 border-t border-line bg-page px-4 py-4 sm:pl-11">
      <Facts stacked facts={facts} />
      {changes.length > 0 && (
        <table className="w-full table-fixed border-collapse">
          <thead>
            <tr className="text-left text-tiny text-faint">
              <th scope="col" className="w-1/4 py-1 pr-3 font-medium">
                Field
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                Before
              </th>
              <th scope="col" className="py-1 font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pr-3 text-left font-normal break-words text-muted">
                  {field}
                </th>
                <td className="py-1.5 pr-3 font-mono text-tiny leading-5 break-words text-muted">{before || '–'}</td>
                <td className="py-1.5 font-mono text-tiny leading-5 break-words">{after || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {redactions !== undefined && (
        <p className="text-muted">An address in this entry was removed because the person was erased.</p>
      )}
    </div>
  )
}
