import type { Override } from '@postrider/domain/quota/plans.ts'

/** Returns an operator's limit as messages have it: `plan`, `none` or a number. */
export const overrideText = (value: Override): string => (value === null ? 'none' : String(value))

/** Reads such a limit. @returns NaN, which the service refuses, for a text that is not a number */
export const readOverride = (text: string): Override => {
  if (text === 'plan') return 'plan'
  if (text === 'none') return null
  return /^-?[\d.]+(?:e[+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
}
