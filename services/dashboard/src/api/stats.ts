import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { type Period, type StatsBy, statsParameters, statsPath } from './statsParameters.ts'
import type { EmailStatus, Mode } from './types.ts'

type Schemas = components['schemas']

export type EmailStats = Schemas['EmailStats']
/** One hour or day, or the sum over the range. */
export type StatsRow = EmailStats['data'][number]
export type StatsGroup = EmailStats['totals'][number]
export type RecipientCounts = StatsGroup['statuses']
export type Usage = Schemas['Usage']

const refreshMs = 30_000

/** Query of the outcomes of the mail that was accepted in a period. */
export const statsQuery = (api: Api, mode: Mode, period: Period, by: StatsBy) =>
  queryOptions({
    queryKey: ['stats', mode, by, period.bucket, period.from, period.to],
    queryFn: ({ signal }) => api.get(statsPath, { query: statsParameters(mode, period, by), signal }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })

/** The quotas of the workspace and what is used of them. */
export const usageQuery = (api: Api) =>
  queryOptions({
    queryKey: ['usage'],
    queryFn: ({ signal }) => api.get('/api/v1/billing/usage', { signal }),
    refetchInterval: refreshMs,
  })

/** The newest emails of a status. Of a longer list the screen shows that there are more. */
export const emailsOfStatusQuery = (api: Api, mode: Mode, status: EmailStatus) =>
  queryOptions({
    queryKey: ['emails', 'of-status', mode, status],
    queryFn: ({ signal }) => api.get('/api/v1/emails', { query: { mode, status, limit: 100 }, signal }),
    refetchInterval: refreshMs,
  })

/** Returns the query that reads whether the workspace has sent anything, live or in the test mode. */
export const anyEmailQuery = (api: Api) =>
  queryOptions({
    queryKey: ['emails', 'any'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/emails', { query: { limit: 1 }, signal })).data.length > 0,
  })
