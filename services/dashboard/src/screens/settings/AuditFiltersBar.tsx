import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { memberPages } from '../../api/members.ts'
import { present } from '../../app/search.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import { actionGroups } from './auditLook.ts'
import type { AuditSearch } from './auditSearch.ts'

const route = getRouteApi('/member/settings/audit-log')

const kinds = [
  ['user', 'All people'],
  ['key', 'All API keys'],
  ['operator', 'Operator'],
  ['system', 'Postrider itself'],
] as const

/** The filters of the log. They are in the URL. */
export const AuditFiltersBar = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useInfiniteQuery(memberPages(useApi()))
  const members = data?.pages.flatMap((page) => page.data) ?? []
  const { actor = '', action = '', from = '', to = '' } = search
  const isKnown =
    actor === '' || kinds.some(([kind]) => kind === actor) || members.some(({ user }) => user.id === actor)
  const set = (change: { [Name in keyof AuditSearch]: string | undefined }) =>
    navigate({ search: (before) => present({ ...before, ...change }), replace: true })
  return (
    <search className="flex flex-wrap gap-2">
      <Field label="Who" hideLabel className="w-44 max-sm:basis-full">
        <Select value={actor} onChange={(event) => set({ actor: event.target.value || undefined })}>
          <option value="">Anyone</option>
          <optgroup label="Members">
            {members.map(({ user }) => (
              <option key={user.id} value={user.id}>
                {user.email}
              </option>
            ))}
          </optgroup>
          <optgroup label="Kinds">
            {kinds.map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </optgroup>
          {!isKnown && <option value={actor}>{actor}</option>}
        </Select>
      </Field>
      <Field label="Action" hideLabel className="w-44 max-sm:basis-full">
        <Select value={action} onChange={(event) => set({ action: event.target.value || undefined })}>
          <option value="">Any action</option>
          {actionGroups.map(({ label, choices }) => (
            <optgroup key={label} label={label}>
              {choices.map((choice) => (
                <option key={choice.value} value={choice.value}>
                  {choice.label}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <DayField label="From" value={from} max={to} onChange={(day) => set({ from: day })} />
      <DayField label="To" value={to} min={from} onChange={(day) => set({ to: day })} />
      {Object.keys(search).length > 0 && (
        <Button look="quiet" onClick={() => navigate({ search: {}, replace: true })}>
          <X aria-hidden className="size-4" />
          Clear
        </Button>
      )}
    </search>
  )
}

/** A day of the calendar. Its name is in front of it. */
const DayField = ({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (day: string | undefined) => void
}) => (
  <span className="flex items-center gap-2 max-sm:flex-1">
    <span aria-hidden className="text-small text-muted">
      {label}
    </span>
    <Field label={label} hideLabel className="w-36 max-sm:flex-1">
      <TextInput
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </Field>
  </span>
)
