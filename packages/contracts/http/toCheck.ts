import { parseSendTime, sendTimeFields } from './times.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** What intake can judge of a body that is refused already: the parts of it that are well-formed. */
export const toCheck = (raw: Record<string, unknown>) => {
  const template_id = textOf(raw['template_id'])
  const domain_id = textOf(raw['domain_id'])
  const time = parseSendTime(textOf(raw['scheduled_at']) ?? '')
  const vars = raw['template_vars']
  return {
    ...(template_id !== undefined && { template_id }),
    ...(typeof vars === 'object' && vars !== null && { template_vars_json: JSON.stringify(vars) }),
    ...(domain_id !== undefined && { domain_id }),
    ...(time && sendTimeFields(time)),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
  }
}
