import { momentOf, parseSendTime } from './times.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const timeOf = (value: unknown, now: number): string | undefined => {
  const time = typeof value === 'string' ? parseSendTime(value) : null
  return time ? momentOf(time, now) : undefined
}

/** What intake can judge of a body that is refused already: the parts of it that are well-formed.
 * @param now when the request came, in milliseconds */
export const toCheck = (raw: Record<string, unknown>, now: number) => {
  const template_id = textOf(raw['template_id'])
  const domain_id = textOf(raw['domain_id'])
  const scheduled_at = timeOf(raw['scheduled_at'], now)
  const vars = raw['template_vars']
  return {
    ...(template_id !== undefined && { template_id }),
    ...(typeof vars === 'object' && vars !== null && { template_vars_json: JSON.stringify(vars) }),
    ...(domain_id !== undefined && { domain_id }),
    ...(scheduled_at !== undefined && { scheduled_at }),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
  }
}
