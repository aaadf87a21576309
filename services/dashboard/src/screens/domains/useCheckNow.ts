import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Domain, storeDomain } from '../../api/domains.ts'
import { problemText } from '../../api/problem.ts'
import { useToast } from '../../ui/Toast.tsx'
import { requiredFound } from './domainLabels.ts'

const pollMs = 1_000
/** Slow name servers: the check continues in the service, the page waits no longer. */
const maxMs = 60_000

/**
 * Starts a check of the records of a domain. The API responds before a check of slow name servers has ended, so the
 * domain is read until its time of the last check changes.
 */
export const useCheckNow = ({ id, checked_at }: Domain) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isChecking, setChecking] = useState(false)
  const leave = useRef(new AbortController())
  useEffect(() => {
    leave.current = new AbortController()
    return () => leave.current.abort()
  }, [])

  const ended = async (signal: AbortSignal): Promise<Domain | null> => {
    const until = performance.now() + maxMs
    let domain = await api.post('/api/v1/domains/{id}/verify', { path: { id }, signal })
    while (domain.checked_at === checked_at) {
      if (performance.now() > until) return null
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      signal.throwIfAborted()
      domain = await api.get('/api/v1/domains/{id}', { path: { id }, signal })
    }
    storeDomain(queries, domain)
    return domain
  }
  const check = async (): Promise<void> => {
    const { signal } = leave.current
    setChecking(true)
    try {
      toast(resultOf(await ended(signal)))
    } catch (thrown) {
      if (!signal.aborted) toast({ tone: 'bad', title: 'The check failed', detail: problemText(thrown) })
    }
    if (!signal.aborted) setChecking(false)
  }
  return { isChecking, check }
}

const resultOf = (domain: Domain | null): Parameters<ReturnType<typeof useToast>>[0] => {
  if (domain === null) {
    return {
      tone: 'warn',
      title: 'The check takes longer',
      detail: 'The name servers answer slowly. Its result appears here.',
    }
  }
  const { found, all } = requiredFound(domain)
  if (found === all) return { title: 'All required records were found' }
  return {
    tone: 'warn',
    title: `${found} of ${all} required records were found`,
    detail: 'DNS changes can need some minutes. The records are checked again automatically.',
  }
}
