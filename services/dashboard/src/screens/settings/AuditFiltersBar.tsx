import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/ApiProvider.tsx'
import { memberPages } from '../../api/members.ts'
import { present } from '../../app/search.ts'
import { ClearButton } from '../../ui/ClearButton.tsx'
import { Select } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import { ActionFilter, actorKinds, DayField } from './auditFilterParts.tsx'
import type { AuditSearch } from './auditSearch.ts'

const route = getRouteApi('/member/settings/audit-log')

/** The filters of the log. They are in the URL. */
export const AuditFiltersBar = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useInfiniteQuery(memberPages(useApi()))
  const members = data?.pages.flatMap((page) => page.data) ?? []
  const { actor = '', action, from = '', to = '' } = search
  const isKnown =
    actor === '' || actorKinds.some(([kind]) => kind === actor) || members.some(({ user }) => user.id === actor)
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
            {actorKinds.map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </optgroup>
          {!isKnown && <option value={actor}>{actor}</option>}
        </Select>
      </Field>
      <ActionFilter value={action} onChange={(chosen) => set({ action: chosen })} />
      <DayField label="From" value={from} max={to} onChange={(day) => set({ from: day })} />
      <DayField label="To" value={to} min={from} onChange={(day) => set({ to: day })} />
      {Object.keys(search).length > 0 && <ClearButton onClick={() => navigate({ search: {}, replace: true })} />}
    </search>
  )
}
