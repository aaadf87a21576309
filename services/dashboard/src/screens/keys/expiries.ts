import { dayMs } from '../../ui/times.ts'

/** How long a new key works. */
export const expiries = [
  { value: 'never', label: 'Never', days: null },
  { value: '30d', label: 'After 30 days', days: 30 },
  { value: '90d', label: 'After 90 days', days: 90 },
  { value: '365d', label: 'After a year', days: 365 },
] as const

/** Returns the time when a key of this choice expires; null: never. @param now in milliseconds */
export const expiryTime = (value: string, now: number): string | null => {
  const days = expiries.find((expiry) => expiry.value === value)?.days ?? null
  return days === null ? null : new Date(now + days * dayMs).toISOString()
}
