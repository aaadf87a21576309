import { getRouteApi } from '@tanstack/react-router'
import type { OperatorAuditFilters } from '../../api/operator.ts'
import { present } from '../../app/search.ts'
import { TextFilter } from '../../app/TextFilter.tsx'
import { Page } from '../../ui/Page.tsx'
import { ActionFilter, actorKinds, DayField } from '../settings/auditFilterParts.tsx'
import { timesOf } from '../settings/auditSearch.ts'
import { ChoiceFilter, FilterBar } from './FilterBar.tsx'
import { OperatorAuditEntries } from './OperatorAuditEntries.tsx'
import type { OperatorAuditSearch } from './search.ts'

const route = getRouteApi('/operator-area/operator/audit-log')

/** Every change in the service, with who made it. */
export const OperatorAuditScreen = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { actor, action, workspace } = search
  const set = (change: { [Name in keyof OperatorAuditSearch]: string | undefined }) =>
    navigate({ search: (before) => present({ ...before, ...change }), replace: true })
  const clear = Object.keys(search).length > 0 ? () => navigate({ search: {}, replace: true }) : undefined
  const filters = {
    ...timesOf(search),
    ...present({ actor, workspace, action: action as OperatorAuditFilters['action'] }),
  }
  return (
    <Page
      title="Audit log"
      intro="Who changed what, in every workspace and in the service itself. Entries cannot be changed or removed."
    >
      <FilterBar clear={clear}>
        <TextFilter
          label="Workspace"
          placeholder="Id of a workspace"
          value={workspace}
          onChange={(id) => set({ workspace: id })}
          className="min-w-48 flex-1 max-sm:basis-full"
          withIcon
        />
        <ChoiceFilter
          label="Who"
          any="Anyone"
          value={actor}
          choices={[
            ...actorKinds,
            ...(actor === undefined || actorKinds.some(([kind]) => kind === actor) ? [] : [[actor, actor] as const]),
          ]}
          onChange={(who) => set({ actor: who })}
        />
        <ActionFilter value={action} onChange={(what) => set({ action: what })} />
        <DayField label="From" value={search.from ?? ''} max={search.to ?? ''} onChange={(from) => set({ from })} />
        <DayField label="To" value={search.to ?? ''} min={search.from ?? ''} onChange={(to) => set({ to })} />
      </FilterBar>
      <OperatorAuditEntries filters={filters} clear={clear} />
    </Page>
  )
}
