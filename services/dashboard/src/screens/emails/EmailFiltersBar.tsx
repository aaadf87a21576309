import { emailStatuses } from '@postrider/contracts/http/values.ts'
import { getRouteApi } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { present } from '../../app/search.ts'
import { TextFilter } from '../../app/TextFilter.tsx'
import { Button } from '../../ui/Button.tsx'
import { ClearButton } from '../../ui/ClearButton.tsx'
import { Select } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import type { EmailSearch } from './search.ts'
import { statusLabels } from './statusLabels.ts'

const route = getRouteApi('/member/emails')

const spanLabels: readonly [NonNullable<EmailSearch['span']>, string][] = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
]

type Change = { [Name in keyof EmailSearch]: EmailSearch[Name] | undefined }

/** The filters of the list. They are in the URL, so a filtered list can be sent to a colleague. */
export const EmailFiltersBar = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const hasMore = ['from', 'template', 'tag', 'category'].some((name) => name in search)
  const [isOpen, setOpen] = useState(hasMore)
  const set = (change: Change) =>
    navigate({
      search: (before) => present({ ...before, ...change }),
      replace: true,
    })
  return (
    <search className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <TextFilter
          label="Search"
          placeholder="Subject, or a whole address"
          value={search.q}
          onChange={(q) => set({ q })}
          className="min-w-48 flex-1 max-sm:basis-full"
          withIcon
        />
        <Field label="Status" hideLabel className="w-40 max-sm:flex-1">
          <Select
            value={search.status ?? ''}
            onChange={(event) => set({ status: (event.target.value || undefined) as EmailSearch['status'] })}
          >
            <option value="">Any status</option>
            {emailStatuses.map((status) => (
              <option key={status} value={status}>
                {statusLabels[status].label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Accepted" hideLabel className="w-40 max-sm:flex-1">
          <Select
            value={search.span ?? ''}
            onChange={(event) => set({ span: (event.target.value || undefined) as EmailSearch['span'] })}
          >
            <option value="">Any time</option>
            {spanLabels.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} aria-label="More filters">
          <ListFilter aria-hidden className="size-4" />
          <span className="max-sm:hidden">Filters</span>
        </Button>
        {Object.keys(search).length > 0 && <ClearButton onClick={() => navigate({ search: {}, replace: true })} />}
      </div>
      {isOpen && <MoreFilters search={search} set={set} />}
    </search>
  )
}

const MoreFilters = ({ search, set }: { search: EmailSearch; set: (change: Change) => void }) => (
  <div className="grid gap-2 rounded-lg border border-line bg-sunken p-3 sm:grid-cols-2 lg:grid-cols-4">
    <TextFilter
      label="From"
      placeholder="billing@example.com"
      value={search.from}
      onChange={(from) => set({ from })}
      showLabel
    />
    <TextFilter
      label="Template"
      placeholder="Id or alias"
      value={search.template}
      onChange={(template) => set({ template })}
      showLabel
    />
    <TextFilter label="Tag" placeholder="name:value" value={search.tag} onChange={(tag) => set({ tag })} showLabel />
    <Field label="Category">
      <Select
        value={search.category ?? ''}
        onChange={(event) => set({ category: (event.target.value || undefined) as EmailSearch['category'] })}
      >
        <option value="">Any</option>
        <option value="transactional">Transactional</option>
        <option value="marketing">Marketing</option>
      </Select>
    </Field>
  </div>
)
