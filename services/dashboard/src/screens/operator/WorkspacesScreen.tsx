import { planNames } from '@postrider/contracts/http/values.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { workspacePages } from '../../api/operator.ts'
import { oneOf, present } from '../../app/search.ts'
import { TextFilter } from '../../app/TextFilter.tsx'
import { Page } from '../../ui/Page.tsx'
import { planLabels } from './controlsLabels.ts'
import { ChoiceFilter, FilterBar } from './FilterBar.tsx'
import { RecordList } from './RecordList.tsx'
import { workspaceFilters, workspaceStates } from './search.ts'
import { workspaceColumns } from './workspaceColumns.tsx'

const route = getRouteApi('/operator-area/operator/workspaces')

const stateLabels: Readonly<Record<(typeof workspaceStates)[number], string>> = {
  active: 'Active',
  stopped: 'Stopped',
  deleting: 'Deleting',
}

/** Every workspace of the service. */
export const WorkspacesScreen = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const pages = useInfiniteQuery(workspacePages(useApi(), workspaceFilters(search)))
  const set = (change: { [Name in keyof typeof search]: (typeof search)[Name] | undefined }) =>
    navigate({ search: (before) => present({ ...before, ...change }), replace: true })
  const clear = Object.keys(search).length > 0 ? () => navigate({ search: {}, replace: true }) : undefined
  return (
    <Page title="Workspaces" intro="Every customer of this service, the newest first.">
      <FilterBar clear={clear}>
        <TextFilter
          label="Search"
          placeholder="Name, id, or a member’s address"
          value={search.q}
          onChange={(q) => set({ q })}
          className="min-w-48 flex-1 max-sm:basis-full"
          withIcon
        />
        <ChoiceFilter
          label="Plan"
          any="Any plan"
          value={search.plan}
          choices={planNames.map((plan) => [plan, planLabels[plan]])}
          onChange={(plan) => set({ plan: oneOf(plan, planNames) })}
        />
        <ChoiceFilter
          label="State"
          any="Any state"
          value={search.state}
          choices={workspaceStates.map((state) => [state, stateLabels[state]])}
          onChange={(state) => set({ state: oneOf(state, workspaceStates) })}
        />
      </FilterBar>
      <RecordList
        pages={pages}
        label="Workspaces"
        many="workspaces"
        columns={workspaceColumns}
        clear={clear}
        empty={{ icon: Building2, title: 'No workspace yet', text: 'The first sign-up creates one.' }}
      />
    </Page>
  )
}
