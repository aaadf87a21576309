import { dayMs, hourMs, invalidTime, minuteMs, parseTime } from '@postrider/domain/time.ts'
import { z } from 'zod'
import type { SendTime } from '../services.ts'
import { report } from './schema.ts'

/** Weeks cannot be combined (ISO 8601-1, 5.5.2.4). Years and months have no fixed length and are not supported. */
const shape =
  /^P(?:(?<weeks>\d{1,4})W|(?=\d|T)(?:(?<days>\d{1,5})D)?(?:T(?=\d)(?:(?<hours>\d{1,6})H)?(?:(?<minutes>\d{1,8})M)?(?:(?<seconds>\d{1,9})S)?)?)$/

const unitsMs = { weeks: 7 * dayMs, days: dayMs, hours: hourMs, minutes: minuteMs, seconds: 1_000 } as const

/**
 * Returns the milliseconds of an ISO 8601 duration such as `PT10M`, `P1DT12H` or `P2W`.
 * @returns null: not a duration of whole weeks, days, hours, minutes and seconds
 */
export const durationMs = (text: string): number | null => {
  const parts = shape.exec(text)?.groups
  if (!parts) return null
  return Object.entries(unitsMs).reduce((sum, [unit, unitMs]) => sum + Number(parts[unit] ?? 0) * unitMs, 0)
}

/** How far ahead mail may be scheduled, in milliseconds. */
const farthestMs = 30 * dayMs

/** Reads an RFC 3339 timestamp or an ISO 8601 duration; null: it is neither. */
export const parseSendTime = (text: string): SendTime | null => {
  const inMs = durationMs(text)
  if (inMs !== null) return { inMs }
  const at = parseTime(text)
  return at === null ? null : { at }
}

export const ScheduledAt = z
  .string()
  .transform((text, context) => {
    const time = parseSendTime(text)
    if (time) return time
    const message = `${invalidTime.message} A duration such as PT1H is also accepted.`
    report(context, { code: 'invalid_time', message, input: text })
    return z.NEVER
  })
  .meta({ minLength: 1, example: 'PT1H' })

const expiryMs = (value: string | number): number | null =>
  typeof value === 'number' ? value * 1_000 : durationMs(value)

export const ExpiresIn = z
  .union([z.string(), z.int()], { error: 'Must be a whole number of seconds or a duration such as PT10M.' })
  .transform((value, context) => {
    const ms = expiryMs(value)
    if (ms !== null && ms > 0 && ms <= farthestMs) return ms
    const message = 'Must be a whole number of seconds, or a duration such as PT10M, up to 30 days.'
    report(context, { code: 'invalid_duration', message, input: value })
    return z.NEVER
  })
  .meta({ example: 'PT10M' })
