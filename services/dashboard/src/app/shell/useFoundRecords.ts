import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Globe, LayoutTemplate, Webhook } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { domainPages } from '../../api/domains.ts'
import { templatePages } from '../../api/templates.ts'
import { webhookPages } from '../../api/webhooks.ts'
import { useMode } from '../mode.tsx'
import type { Command } from './command.ts'

/** Shortest text for which records are read. */
const minLetters = 2

const all = <Item>(data: InfiniteData<{ data: Item[] }> | undefined): readonly Item[] =>
  data?.pages.flatMap((page) => page.data) ?? []

/** Returns an entry for each domain, template and endpoint of the newest hundred, once a text is typed. */
export const useFoundRecords = (text: string): readonly Command[] => {
  const api = useApi()
  const navigate = useNavigate()
  const { mode } = useMode()
  const read = { enabled: text.trim().length >= minLetters, refetchInterval: false } as const
  const domains = useInfiniteQuery({ ...domainPages(api), ...read })
  const templates = useInfiniteQuery({ ...templatePages(api), ...read })
  const webhooks = useInfiniteQuery({ ...webhookPages(api, mode), ...read })
  if (!read.enabled) return []
  return [
    ...all(domains.data).map(({ id, name }) => ({
      id,
      name,
      kind: 'Domain',
      icon: Globe,
      words: id,
      run: () => navigate({ to: '/domains/$id', params: { id } }),
    })),
    ...all(templates.data).map(({ id, name, alias }) => ({
      id,
      name,
      kind: 'Template',
      icon: LayoutTemplate,
      words: `${id} ${alias ?? ''}`,
      run: () => navigate({ to: '/templates/$id', params: { id } }),
    })),
    ...all(webhooks.data).map(({ id, url, description }) => ({
      id,
      name: description || url,
      kind: 'Endpoint',
      icon: Webhook,
      words: `${id} ${url}`,
      run: () => navigate({ to: '/webhooks/$id', params: { id } }),
    })),
  ]
}
