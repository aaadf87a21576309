import { optionalText, present } from '../../app/search.ts'

const day = (value: unknown): string | undefined => {
  const text = optionalText(value)
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

const matching = (value: unknown, shape: RegExp): string | undefined => {
  const text = optionalText(value)
  return text !== undefined && shape.test(text) ? text : undefined
}

/** Reads the filters of a URL. `from` and `to` are days in the zone of the viewer, both included. */
export const auditSearch = (search: Record<string, unknown>) =>
  present({
    actor: matching(search['actor'], /^[a-z0-9_]{1,64}$/),
    action: matching(search['action'], /^[a-z_]+\.(\*|[a-z_]+)$/),
    from: day(search['from']),
    to: day(search['to']),
  })

export type AuditSearch = ReturnType<typeof auditSearch>

/** Returns when a day begins in the zone of the viewer. @param later days after it */
const beginOf = (text: string, later = 0): string => {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** Returns the times of the API for the days of the URL. */
export const timesOf = ({ from, to }: AuditSearch): { created_after?: string; created_before?: string } => ({
  ...(from !== undefined && { created_after: beginOf(from) }),
  ...(to !== undefined && { created_before: beginOf(to, 1) }),
})
