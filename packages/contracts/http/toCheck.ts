import type { CheckRequest, TemplateVars } from '../services.ts'
import { parseSendTime } from './times.ts'

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Returns the well-formed parts of a refused body that intake can judge. */
export const toCheck = (raw: Record<string, unknown>): Omit<CheckRequest, 'caller'> => {
  const [templateId, vars] = [textOf(raw['template_id']), raw['template_vars']]
  return {
    template:
      templateId === null
        ? null
        : { id: templateId, vars: typeof vars === 'object' ? (vars as TemplateVars | null) : null },
    domainId: textOf(raw['domain_id']),
    sendAt: parseSendTime(textOf(raw['scheduled_at']) ?? ''),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
  }
}
