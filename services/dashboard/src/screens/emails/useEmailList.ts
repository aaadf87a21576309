import { useApi } from '../../api/ApiProvider.tsx'
import { readEmails } from '../../api/emails.ts'
import type { EmailFilters } from '../../api/types.ts'
import { fallbackMs, useLiveList } from '../../app/useLiveList.ts'

/** The emails of a filter. Statuses change in place. */
export const useEmailList = (filters: EmailFilters) =>
  useLiveList({
    key: ['emails', 'list', filters],
    read: readEmails(useApi(), filters),
    timeOf: (email) => email.created_at,
    everyMs: () => fallbackMs,
  })
