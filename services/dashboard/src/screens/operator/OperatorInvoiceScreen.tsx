import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { controlsQuery, type OperatorInvoice, operatorInvoiceQuery } from '../../api/operator.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Id } from '../../ui/Id.tsx'
import { Page } from '../../ui/Page.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { periodText } from '../billing/billingTexts.ts'
import { InvoiceBadge } from '../billing/InvoiceBadge.tsx'
import { InvoiceLines } from '../billing/InvoiceLines.tsx'
import { PendingInvoice } from '../billing/PendingInvoice.tsx'
import { InvoiceActions } from './InvoiceActions.tsx'

const route = getRouteApi('/operator-area/operator/invoices/$id')

/** One invoice of any workspace: its lines, and whether it is paid. */
export const OperatorInvoiceScreen = () => {
  const { id } = route.useParams()
  const { data: invoice, error, refetch } = useQuery(operatorInvoiceQuery(useApi(), id))
  if (invoice) return <InvoiceView invoice={invoice} />
  return <PendingInvoice error={error} onRetry={refetch} back={<Back />} />
}

const Back = () => (
  <Link to="/operator/invoices" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Invoices
  </Link>
)

const InvoiceView = ({ invoice }: { invoice: OperatorInvoice }) => (
  <Page
    title={`Invoice ${invoice.number}`}
    width="read"
    back={<Back />}
    badge={<InvoiceBadge status={invoice.status} />}
    actions={invoice.status === 'open' && <InvoiceActions invoice={invoice} />}
  >
    <Facts stacked facts={useFacts(invoice)} />
    <InvoiceLines invoice={invoice} />
    {invoice.status !== 'open' && (
      <p className="mt-3 text-small text-muted">
        Its status does not change any more. A correction of the workspace appears on its next invoice.
      </p>
    )}
  </Page>
)

const useFacts = (invoice: OperatorInvoice): readonly (readonly [string, ReactNode])[] => {
  const { id, workspace_id, period, issued_at, paid_at, reason } = invoice
  // A deleted workspace has no name any more.
  const { data: workspace } = useQuery({ ...controlsQuery(useApi(), workspace_id), retry: false })
  return [
    [
      'Workspace',
      <Link
        key="workspace"
        to="/operator/workspaces/$id"
        params={{ id: workspace_id }}
        className="underline underline-offset-2"
      >
        {workspace?.name ?? workspace_id}
      </Link>,
    ],
    ['Period (UTC)', periodText(period)],
    ['Issued', <AbsoluteTime key="issued" at={issued_at} />],
    ...(paid_at === null ? [] : [['Paid', <AbsoluteTime key="paid" at={paid_at} />] as const]),
    ...(reason === '' ? [] : [['Reason of the status', reason] as const]),
    ['Id', <Id key="id" id={id} label="id of the invoice" />],
  ]
}
