import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Invoice, invoiceQuery, printPath, subscriptionQuery } from '../../api/billing.ts'
import { useMay, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Id } from '../../ui/Id.tsx'
import { Page } from '../../ui/Page.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { periodText } from './billingTexts.ts'
import { InvoiceBadge } from './InvoiceBadge.tsx'
import { InvoiceLines } from './InvoiceLines.tsx'
import { PendingInvoice } from './PendingInvoice.tsx'
import { PayButton } from './ProviderButtons.tsx'

const route = getRouteApi('/member/billing/invoices/$id')

/** One invoice: its lines, its state, and the ways to print and to pay it. */
export const InvoiceScreen = () => {
  const { id } = route.useParams()
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(useApi(), id))
  if (invoice) return <InvoiceView invoice={invoice} />
  return <PendingInvoice error={error} onRetry={refetch} back={<Back />} />
}

const Back = () => (
  <Link to="/billing" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Billing
  </Link>
)

const InvoiceView = ({ invoice }: { invoice: Invoice }) => {
  const mayPay = useMay('owner')
  const { data: subscription } = useQuery(subscriptionQuery(useApi()))
  const isPayable = invoice.status === 'open' && subscription?.payment === 'page'
  return (
    <Page
      title={`Invoice ${invoice.number}`}
      width="read"
      badge={<InvoiceBadge status={invoice.status} />}
      back={<Back />}
      actions={
        <>
          <Button asChild>
            <a href={printPath(invoice.id)} target="_blank" rel="noopener">
              <Printer aria-hidden className="size-4" />
              Printable page
            </a>
          </Button>
          {isPayable && mayPay && <PayButton invoice={invoice} />}
        </>
      }
    >
      <Facts stacked facts={useFacts(invoice)} />
      <InvoiceLines invoice={invoice} />
      <p className="mt-3 text-small text-muted">{noteOf(invoice, subscription?.payment)}</p>
    </Page>
  )
}

const useFacts = ({ id, period, issued_at, paid_at }: Invoice): readonly (readonly [string, ReactNode])[] => [
  ['For', useSession().workspace.name],
  ['Period (UTC)', periodText(period)],
  ['Issued', <AbsoluteTime key="issued" at={issued_at} />],
  ...(paid_at === null ? [] : [['Paid', <AbsoluteTime key="paid" at={paid_at} />] as const]),
  ['Id', <Id key="id" id={id} label="id" />],
]

const noteOf = ({ status }: Invoice, payment: 'page' | 'outside' | undefined): string => {
  if (status === 'void') return 'This invoice is void: nothing is due.'
  if (status === 'paid' || payment === undefined) return ''
  return payment === 'page'
    ? 'A saved card is charged for an open invoice. An owner can also pay it on the page of the payment provider.'
    : 'The operator of this service states how invoices are paid, and marks this one as paid after the payment.'
}
