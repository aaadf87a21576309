/** Weeks cannot be combined (ISO 8601-1, 5.5.2.4). Years and months have no fixed length and are not supported. */
const shape =
  /^P(?:(?<weeks>\d{1,4})W|(?=\d|T)(?:(?<days>\d{1,5})D)?(?:T(?=\d)(?:(?<hours>\d{1,6})H)?(?:(?<minutes>\d{1,8})M)?(?:(?<seconds>\d{1,9})S)?)?)$/

const unitsMs = { weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000 } as const

/**
 * Returns the milliseconds of an ISO 8601 duration such as `PT10M`, `P1DT12H` or `P2W`.
 * @returns null: not a duration of whole weeks, days, hours, minutes and seconds
 */
export const durationMs = (text: string): number | null => {
  const parts = shape.exec(text)?.groups
  if (!parts) return null
  return Object.entries(unitsMs).reduce((sum, [unit, unitMs]) => sum + Number(parts[unit] ?? 0) * unitMs, 0)
}
