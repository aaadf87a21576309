import type { EmailStats, RecipientCounts } from '../../api/stats.ts'
import { outcomes } from './outcomes.ts'

const latencies = ['first_attempt', 'delivery'] as const
const percentiles = ['p50_ms', 'p95_ms', 'p99_ms'] as const

/**
 * Returns the rows of statistics as CSV (RFC 4180), with the names and numbers of the API. An absent value is empty.
 */
export const csvOf = ({ data }: Pick<EmailStats, 'data'>): string => {
  const statuses = outcomes.flatMap((outcome): readonly (keyof RecipientCounts & string)[] => outcome.statuses)
  const head = ['at', 'accepted', ...statuses]
  for (const latency of latencies) head.push(...percentiles.map((percentile) => `${latency}_${percentile}`))
  const rows = data.map((row) => [
    row.at,
    row.accepted,
    ...statuses.map((status) => row.statuses[status]),
    ...latencies.flatMap((latency) => percentiles.map((percentile) => row[latency][percentile] ?? '')),
  ])
  return [head, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** Lets the browser store a text as a file. */
export const download = (name: string, text: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
