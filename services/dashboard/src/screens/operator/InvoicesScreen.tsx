import { invoiceStatuses } from '@postrider/contracts/http/values.ts'
import { getRouteApi } from '@tanstack/react-router'
import { oneOf, present } from '../../app/search.ts'
import { TextFilter } from '../../app/TextFilter.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { invoiceLabels } from '../billing/billingTexts.ts'
import { ChoiceFilter, FilterBar } from './FilterBar.tsx'
import { InvoiceList } from './InvoiceList.tsx'

const route = getRouteApi('/operator-area/operator/invoices')

/** The invoices of every workspace. */
export const InvoicesScreen = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: { [Name in keyof typeof search]: (typeof search)[Name] | undefined }) =>
    navigate({ search: (before) => present({ ...before, ...change }), replace: true })
  const clear = Object.keys(search).length > 0 ? () => navigate({ search: {}, replace: true }) : undefined
  return (
    <Page title="Invoices" intro="The invoices of every workspace, the newest first.">
      <FilterBar clear={clear}>
        <TextFilter
          label="Workspace"
          placeholder="Id of a workspace"
          value={search.workspace}
          onChange={(workspace) => set({ workspace })}
          className="min-w-48 flex-1 max-sm:basis-full"
          withIcon
        />
        <ChoiceFilter
          label="Status"
          any="Any status"
          value={search.status}
          choices={invoiceStatuses.map((status) => [status, invoiceLabels[status].label])}
          onChange={(status) => set({ status: oneOf(status, invoiceStatuses) })}
        />
        <Field label="Month" hideLabel className="w-40 max-sm:flex-1">
          <TextInput
            type="month"
            value={search.period ?? ''}
            onChange={(event) => set({ period: event.target.value || undefined })}
          />
        </Field>
      </FilterBar>
      <InvoiceList filters={search} clear={clear} />
    </Page>
  )
}
