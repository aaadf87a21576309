import { dayMs, hourMs } from '../time.ts'

/** Lengths of a bucket. Days are those of UTC. */
export const bucketSizes = ['hour', 'day'] as const
export type BucketSize = (typeof bucketSizes)[number]
export const bucketMs = { hour: hourMs, day: dayMs } as const

/** Time for which buckets are stored: the longest range of each size, and the range before it, can be compared. */
const storedMs = { hour: 100 * dayMs, day: 400 * dayMs } as const

const minMs = hourMs
const maxMs = { hour: 7 * dayMs, day: 90 * dayMs } as const
const usualMs = dayMs

/** Returns the first millisecond of the bucket of a time. */
export const startOfBucket = (size: BucketSize, at: number): number => at - (at % bucketMs[size])

/** A range of time in a request; what is absent has a default. */
export type RequestedRange = { from?: number | undefined; to?: number | undefined; bucket?: BucketSize | undefined }

/** Whole buckets: `from` is the start of the first, `to` the end of the last one. */
export type StatsRange = { from: number; to: number; bucket: BucketSize }

/** A problem with a range, by the parameter that it is about. */
export type RangeProblem = { path: 'from' | 'to' | 'bucket'; code: string; message: string }

const defaultsOf = ({ from, to, bucket }: RequestedRange, now: number): StatsRange => {
  const end = to ?? (from === undefined ? now : Math.max(now, from + minMs))
  const begin = from ?? end - usualMs
  return { from: begin, to: end, bucket: bucket ?? (end - begin <= maxMs.hour ? 'hour' : 'day') }
}

/** Returns what is wrong with a range that names both ends. */
export const lengthProblems = ({ from, to, bucket }: RequestedRange): RangeProblem[] => {
  if (from === undefined || to === undefined) return []
  if (from >= to) return [{ path: 'to', code: 'invalid_range', message: '`to` must be after `from`.' }]
  if (to - from < minMs) return [{ path: 'to', code: 'invalid_range', message: 'The range must have at least 1 hour.' }]
  if (to - from > maxMs.day)
    return [{ path: 'from', code: 'invalid_range', message: 'The range must have at most 90 days.' }]
  if (bucket === 'hour' && to - from > maxMs.hour)
    return [
      {
        path: 'bucket',
        code: 'invalid_range',
        message: '`bucket=hour` supports at most 7 days; use `bucket=day` or a shorter range.',
      },
    ]
  return []
}

/** Returns the range of a request, rounded outward to whole buckets, or what is wrong with it. */
export const rangeOf = (
  requested: RequestedRange,
  now: number,
): { range: StatsRange } | { problems: RangeProblem[] } => {
  const wanted = defaultsOf(requested, now)
  const { bucket } = wanted
  const from = startOfBucket(bucket, wanted.from)
  const problems = lengthProblems(wanted)
  if (from < oldestBucket(bucket, now)) {
    const message = `Statistics by ${bucket} are stored for ${storedMs[bucket] / dayMs} days; use a later time.`
    problems.push({ path: 'from', code: 'too_old', message })
  }
  if (problems.length > 0) return { problems }
  return { range: { bucket, from, to: startOfBucket(bucket, wanted.to - 1) + bucketMs[bucket] } }
}

/** Returns the oldest bucket that is complete: older ones are removed, or their removal is due. */
export const oldestBucket = (size: BucketSize, now: number): number => startOfBucket(size, now - storedMs[size])
