import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { useRowKeys } from './useRowKeys.ts'
import { useRowWindow } from './useRowWindow.ts'

/** A column of a table. */
export type Column<Row> = {
  name: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Smallest width of the screen at which it is shown; absent: always. */
  from?: 'sm' | 'md' | 'lg'
  className?: string
}

const shownFrom = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' } as const

/**
 * Rows that people compare. The first cell contains the link of its row (`rowLink`), which covers the whole row; the
 * arrow keys, j and k move among the rows. Of a long table, the document has the rows near the visible part only.
 */
export const Table = <Row,>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}) => {
  const keys = useRowKeys()
  const { ref, onFocus, isLong, pieces } = useRowWindow<HTMLTableSectionElement>(rows.length)
  const style = ({ from, className }: Column<Row>) => classes(from && shownFrom[from], className)
  return (
    <table
      aria-label={label}
      aria-rowcount={isLong ? rows.length + 1 : undefined}
      className="w-full table-fixed border-collapse text-small tabular-nums"
      {...keys}
    >
      <thead>
        <tr className="border-b border-line text-left text-tiny text-faint">
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              className={classes('h-9 px-2 font-medium first:pl-4 last:pr-4', style(column))}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={ref} onFocus={onFocus}>
        {pieces.map((piece) => {
          // A new row for each height: of a row that stays, Chromium can keep the former height when another one is
          // set.
          if ('gap' in piece) return <tr key={`${piece.key} ${piece.gap}`} aria-hidden style={{ height: piece.gap }} />
          const row = rows[piece.row]
          if (row === undefined) return null
          return (
            <tr
              key={rowKey(row)}
              data-index={piece.row}
              aria-rowindex={isLong ? piece.row + 2 : undefined}
              className="relative border-b border-line transition-colors last:border-0 hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover"
            >
              {columns.map((column) => (
                <td key={column.name} className={classes('px-2 py-2.5 align-top first:pl-4 last:pr-4', style(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Classes of the link in the first cell of a row. */
export const rowLink =
  'outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

/** Lifts a control of a row above the row's link. */
export const aboveRowLink = 'relative z-10'

/** The frame of a table or list. */
export const Panel = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={classes('rounded-lg border border-line bg-surface shadow-raised', className)}>{children}</div>
)
