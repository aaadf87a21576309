import type { Email } from '../../api/types.ts'

/** Returns the recipients of an email as one short text. */
export const recipientsText = ({ to, cc, bcc }: Pick<Email, 'to' | 'cc' | 'bcc'>): string => {
  const all = [...to, ...cc, ...bcc]
  return all.length > 1 ? `${all[0]} and ${all.length - 1} more` : (all[0] ?? '')
}
