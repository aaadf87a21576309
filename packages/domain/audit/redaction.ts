import { removedAddress } from '../retention/purge.ts'
import type { AuditEntry, AuditState, AuditValue, Redaction } from './entry.ts'

/**
 * Every part of a text that may be an address: also of `Ann <ann@example.com>`. A match begins where such a part
 * begins: if it were tried at each character of a long word, the time would be quadratic in its length.
 */
const addresses = /(?<![^\s<>()[\],;:"])[^\s<>()[\],;:"]+@[^\s<>()[\],;:"]+/g

/**
 * Returns an entry without the address of a person who is erased. Action, time and actor stay; the entry names the
 * fields in which the address was, and the erasure.
 * @returns null: the entry does not have the address
 */
export const withoutAddress = (
  entry: AuditEntry,
  isErased: (address: string) => boolean,
  { at, erasure }: Pick<Redaction, 'at' | 'erasure'>,
): AuditEntry | null => {
  const fields = new Set<string>()
  const clean = (value: AuditValue, field: string): AuditValue => {
    if (typeof value === 'string') {
      return value.replaceAll(addresses, (found) => {
        if (!isErased(found)) return found
        fields.add(field)
        return removedAddress
      })
    }
    if (Array.isArray(value)) return value.map((one: AuditValue) => clean(one, field))
    return value !== null && typeof value === 'object' ? cleanState(value as AuditState, `${field}.`) : value
  }
  const cleanState = (state: AuditState, prefix: string): AuditState =>
    Object.fromEntries(Object.entries(state).map(([name, value]) => [name, clean(value, prefix + name)]))
  const before = entry.before && cleanState(entry.before, 'before.')
  const after = entry.after && cleanState(entry.after, 'after.')
  if (fields.size === 0) return null
  return { ...entry, before, after, redactions: [...(entry.redactions ?? []), { at, erasure, fields: [...fields] }] }
}
