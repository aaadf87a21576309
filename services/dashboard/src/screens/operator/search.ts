import { invoiceStatuses, planNames } from '@postrider/contracts/http/values.ts'
import { oneOf, optionalText, present, safeNext } from '../../app/search.ts'
import { auditSearch } from '../settings/auditSearch.ts'

export const workspaceStates = ['active', 'stopped', 'deleting'] as const
const workspaceTabs = ['settings', 'invoices', 'audit-log'] as const

/** Maximum number of characters that the API searches for. */
const maxSearchLength = 254

const searchText = (value: unknown): string | undefined => {
  const text = optionalText(value)
  return text !== undefined && [...text].length <= maxSearchLength ? text : undefined
}

const id = (value: unknown): string | undefined => {
  const text = optionalText(value)
  return text !== undefined && /^[a-z0-9_]{1,64}$/.test(text) ? text : undefined
}

const month = (value: unknown): string | undefined => {
  const text = optionalText(value)
  return text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined
}

/** Reads where a login of the operator continues: only in the operator's area. */
export const logInSearch = (search: Record<string, unknown>) => {
  const next = safeNext(search['next'])
  const isOperators = next?.startsWith('/operator/') && !next.startsWith('/operator/login')
  return present({ next: isOperators ? next : undefined, ended: search['ended'] === true || undefined })
}

export const workspaceListSearch = (search: Record<string, unknown>) =>
  present({
    q: searchText(search['q']),
    plan: oneOf(search['plan'], planNames),
    state: oneOf(search['state'], workspaceStates),
  })

/** Returns the filters of the API. A workspace whose deletion is scheduled is stopped too. */
export const workspaceFilters = ({ q, plan, state }: ReturnType<typeof workspaceListSearch>) =>
  present({
    q,
    plan,
    suspended: state === undefined ? undefined : state === 'active' ? ('false' as const) : ('true' as const),
    deleting: state === undefined ? undefined : state === 'deleting' ? ('true' as const) : ('false' as const),
  })

/** Reads the URL of a workspace: the chosen tab, and the filters of its audit log. */
export const workspaceSearch = (search: Record<string, unknown>) =>
  present({ tab: oneOf(search['tab'], workspaceTabs) })

export const userListSearch = (search: Record<string, unknown>) =>
  present({ q: searchText(search['q']), disabled: oneOf(String(search['disabled']), ['true', 'false'] as const) })

export const invoiceListSearch = (search: Record<string, unknown>) =>
  present({
    workspace: id(search['workspace']),
    status: oneOf(search['status'], invoiceStatuses),
    period: month(search['period']),
  })

export const operatorAuditSearch = (search: Record<string, unknown>) =>
  present({ ...auditSearch(search), workspace: id(search['workspace']) })

export type OperatorAuditSearch = ReturnType<typeof operatorAuditSearch>
