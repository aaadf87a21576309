import type { Mode } from './types.ts'

/** A range of whole hours or days; times in milliseconds, `to` excluded. */
export type Period = { from: number; to: number; bucket: 'hour' | 'day' }

/** The dimension of the counts. */
export type StatsBy = 'status' | 'destination'

export const statsPath = '/api/v1/stats/emails'

export const statsParameters = (mode: Mode, { from, to, bucket }: Period, by: StatsBy) => ({
  mode,
  by,
  bucket,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})
