/** Units of time in milliseconds. */
const [secondMs, minuteMs] = [1_000, 60_000]
export const [hourMs, dayMs] = [3_600_000, 86_400_000]

const inFull = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const toTheSecond = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})
const dayOfYear = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const dayOfAnyYear = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' })

const units = [
  { ms: dayMs, name: 'd' },
  { ms: hourMs, name: 'h' },
  { ms: minuteMs, name: 'min' },
] as const

/** Returns a time in full, in the zone of the viewer. */
export const absoluteTime = (at: string): string => inFull.format(new Date(at))

/** Returns a time to the second without its year and zone, for lists of times that are close together. */
export const shortTime = (at: string): string => toTheSecond.format(new Date(at))

/** Returns a time as the browser's control for times has it: in the zone of the viewer, without a zone. */
export const localText = (at: number): string => {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/**
 * Returns the distance of a time from now: `just now`, `4 min ago`, `in 2 h`. After a week it returns the date.
 * @param at in milliseconds
 * @param now in milliseconds
 */
export const relativeTime = (at: number, now: number): string => {
  const distance = Math.abs(now - at)
  // `now` is up to ten seconds old, so what just happened may be ahead of it.
  if (distance < minuteMs) return at > now + 15 * secondMs ? 'in a moment' : 'just now'
  if (distance >= 7 * dayMs) {
    const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
    return (isThisYear ? dayOfYear : dayOfAnyYear).format(at)
  }
  const { ms, name } = units.find((unit) => distance >= unit.ms) ?? units[2]
  const text = `${Math.floor(distance / ms)} ${name}`
  return at > now ? `in ${text}` : `${text} ago`
}

/** Returns a duration for people: `840 ms`, `2.4 s`, `3 min 5 s`. */
export const duration = (ms: number): string => {
  if (ms < 1) return '< 1 ms'
  if (ms < secondMs) return `${Math.round(ms)} ms`
  if (ms < minuteMs) return `${(ms / secondMs).toFixed(1)} s`
  const [minutes, seconds] = [Math.floor(ms / minuteMs), Math.round((ms % minuteMs) / secondMs)]
  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`
}
