import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'
import { showStored } from './showStored.ts'

type Schemas = components['schemas']

export type Template = Schemas['Template']
export type TemplateSummary = Schemas['TemplateSummary']
export type TemplatePreview = Schemas['TemplatePreview']

/** The parts of a template as an editor has them: an empty text is a part that the template does not have. */
export type Parts = { subject: string; html_body: string; text_body: string }
export type Part = keyof Parts

/** Values for the placeholders. */
export type Vars = { [name: string]: unknown }

const listKey = ['templates', 'list']
const oneKey = (id: string) => ['templates', 'one', id]
const versionsKey = (id: string) => ['templates', 'versions', id]

/** The templates, newest first. */
export const templatePages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: listKey,
    queryFn: ({ pageParam, signal }) => api.get('/api/v1/templates', { query: pageAt(pageParam, 100), signal }),
    ...paging,
  })

/** The newest version of a template. Others may change it while it is shown. */
export const templateQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => api.get('/api/v1/templates/{id}', { path: { id }, signal }),
    refetchInterval: 15_000,
  })

/** The versions of a template, newest first, without their bodies. */
export const versionPages = (api: Api, id: string) =>
  infiniteQueryOptions({
    queryKey: versionsKey(id),
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/templates/{id}/versions', { path: { id }, query: pageAt(pageParam, 100), signal }),
    ...paging,
  })

/** One version, which never changes. */
export const versionQuery = (api: Api, id: string, version: number) =>
  queryOptions({
    queryKey: ['templates', 'version', id, version],
    queryFn: ({ signal }) => api.get('/api/v1/templates/{id}/versions/{version}', { path: { id, version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * Returns values as a body of the API has them. The generator types an object of any members as one without members.
 */
export const givenVars = (vars: Vars): Record<string, never> => vars as Record<string, never>

/** Returns the parts as a body of the API has them. */
const givenParts = ({ subject, html_body, text_body }: Parts) => ({
  subject,
  ...(html_body !== '' && { html_body }),
  ...(text_body !== '' && { text_body }),
})

/** The parts as a send would render them. The last response stays while the next one is read. */
export const previewQuery = (api: Api, parts: Parts, vars: Vars) =>
  queryOptions({
    queryKey: ['templates', 'preview', parts, vars],
    queryFn: ({ signal }) =>
      api.post('/api/v1/templates/preview', { body: { ...givenParts(parts), template_vars: givenVars(vars) }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** Stores the parts as the next version. An empty part is removed. */
export const saveParts = (api: Api, id: string, { subject, html_body, text_body }: Parts): Promise<Template> =>
  api.patch('/api/v1/templates/{id}', {
    path: { id },
    body: { subject, html_body: html_body || null, text_body: text_body || null },
  })

export const partsOf = ({ subject, html_body, text_body }: Template): Parts => ({
  subject,
  html_body: html_body ?? '',
  text_body: text_body ?? '',
})

/** Shows a template as a response of the API has it. */
export const storeTemplate = async (queries: QueryClient, template: Template): Promise<void> => {
  showStored(queries, oneKey(template.id), template)
  await Promise.all([
    queries.invalidateQueries({ queryKey: listKey }),
    queries.invalidateQueries({ queryKey: versionsKey(template.id) }),
  ])
}

/** Removes a deleted template from what is shown. */
export const removeTemplate = (queries: QueryClient, id: string): Promise<void> => {
  queries.removeQueries({ queryKey: oneKey(id) })
  return queries.invalidateQueries({ queryKey: listKey })
}
