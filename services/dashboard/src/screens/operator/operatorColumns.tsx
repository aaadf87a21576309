import { Link } from '@tanstack/react-router'
import type { Operator } from '../../api/operator.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { aboveRowLink, type Column, rowLink } from '../../ui/Table.tsx'
import { seenColumn } from './LastSeen.tsx'

/** Whether the person can act now. */
const StateOf = ({ operator: { disabled, totp_enabled } }: { operator: Operator }) => {
  if (disabled) return <Badge tone="bad">Disabled</Badge>
  return totp_enabled ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>
}

type ColumnOptions = {
  /** Id of the viewer; null: the token is used. */
  self: string | null
  /** Null: the person may not remove operators. */
  remove: ((operator: Operator) => void) | null
}

/** The columns of the list. A phone shows what the person needs below the address. */
export const operatorColumns = ({ self, remove }: ColumnOptions): readonly Column<Operator>[] => [
  {
    name: 'email',
    header: 'Operator',
    cell: ({ id, email, totp_enabled, disabled }) => (
      <>
        <span className="flex items-center gap-2">
          <Link
            to="/operator/users/$id"
            params={{ id }}
            data-row-link
            title={email}
            className={`${rowLink} truncate font-medium`}
          >
            {email}
          </Link>
          {id === self && (
            <span className="-my-px">
              <Badge>You</Badge>
            </span>
          )}
        </span>
        {(disabled || !totp_enabled) && (
          <span className="mt-0.5 block truncate text-muted sm:hidden">
            {disabled ? 'Disabled' : 'Two-factor is off'}
          </span>
        )}
      </>
    ),
  },
  {
    name: 'state',
    header: 'Two-factor',
    from: 'sm',
    className: 'w-28',
    cell: (operator) => (
      <span className="-my-px block">
        <StateOf operator={operator} />
      </span>
    ),
  },
  {
    name: 'since',
    header: 'Since',
    from: 'md',
    className: 'w-32',
    cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted" />,
  },
  seenColumn,
  ...(remove === null
    ? []
    : [
        {
          name: 'actions',
          header: <span className="sr-only">Actions</span>,
          className: 'w-28 text-right',
          cell: (operator) => (
            <span className={`${aboveRowLink} -my-1.5 inline-flex`}>
              <Button size="small" variant="quiet" onClick={() => remove(operator)}>
                Remove…<span className="sr-only"> {operator.email}</span>
              </Button>
            </span>
          ),
        } satisfies Column<Operator>,
      ]),
]
