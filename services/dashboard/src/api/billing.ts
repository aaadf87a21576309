import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'

type Schemas = components['schemas']

export type Plan = Schemas['Plan']
export type PlanName = Schemas['ChangePlan']['plan']
export type PlanPreview = Schemas['PlanPreview']
export type Subscription = Schemas['Subscription']
export type Invoice = Schemas['Invoice']

const area = 'billing'

/** The plans that can be chosen, and that of the workspace. */
export const plansQuery = (api: Api) =>
  queryOptions({
    queryKey: [area, 'plans'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/billing/plans', { signal })).data,
    staleTime: 60_000,
  })

/** The plan in effect and the one that follows. A payment on another page may begin one. */
export const subscriptionQuery = (api: Api) =>
  queryOptions({
    queryKey: [area, 'subscription'],
    queryFn: ({ signal }) => api.get('/api/v1/billing/plan', { signal }),
    refetchInterval: 15_000,
  })

/** Query of the effect and the cost of a change of the plan now. The price changes with the day. */
export const planPreviewQuery = (api: Api, plan: PlanName) =>
  queryOptions({
    queryKey: [area, 'preview', plan],
    queryFn: ({ signal }) => api.get('/api/v1/billing/plan/preview', { query: { plan }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 30_000,
  })

/** The invoices of the workspace, newest first. */
export const invoicePages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [area, 'invoices'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/billing/invoices', {
        query: pageAt(pageParam, 25),
        signal,
      }),
    ...paging,
    refetchInterval: 30_000,
  })

/** One invoice. Its payment may be reported later. */
export const invoiceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [area, 'invoice', id],
    queryFn: ({ signal }) => api.get('/api/v1/billing/invoices/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? 15_000 : false),
  })

/** The page of an invoice to print, which has no script. */
export const printPath = (id: string): string => `/api/v1/billing/invoices/${encodeURIComponent(id)}/print`

/** Reads everything again that a change of the plan or of the cap affects. */
export const refreshBilling = (queries: QueryClient): Promise<unknown> =>
  Promise.all(
    [[area], ['usage'], ['session'], ['workspaces']].map((queryKey) => queries.invalidateQueries({ queryKey })),
  )
