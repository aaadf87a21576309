import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { userPages } from '../../api/operator.ts'
import { oneOf, present } from '../../app/search.ts'
import { TextFilter } from '../../app/TextFilter.tsx'
import { Page } from '../../ui/Page.tsx'
import { ChoiceFilter, FilterBar } from './FilterBar.tsx'
import { RecordList } from './RecordList.tsx'
import { userColumns } from './userColumns.tsx'

const route = getRouteApi('/operator-area/operator/users')

/** Every person with an account. */
export const UsersScreen = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const pages = useInfiniteQuery(userPages(useApi(), search))
  const set = (change: { [Name in keyof typeof search]: (typeof search)[Name] | undefined }) =>
    navigate({ search: (before) => present({ ...before, ...change }), replace: true })
  const clear = Object.keys(search).length > 0 ? () => navigate({ search: {}, replace: true }) : undefined
  return (
    <Page title="Users" intro="Every person with an account, the newest first.">
      <FilterBar clear={clear}>
        <TextFilter
          label="Search"
          placeholder="Id, or a part of the address"
          value={search.q}
          onChange={(q) => set({ q })}
          className="min-w-48 flex-1 max-sm:basis-full"
          withIcon
        />
        <ChoiceFilter
          label="State"
          any="Any state"
          value={search.disabled}
          choices={[
            ['false', 'Active'],
            ['true', 'Disabled'],
          ]}
          onChange={(disabled) => set({ disabled: oneOf(disabled, ['true', 'false'] as const) })}
        />
      </FilterBar>
      <RecordList
        pages={pages}
        label="Users"
        many="users"
        columns={userColumns}
        clear={clear}
        empty={{ icon: Users, title: 'No user yet', text: 'The first sign-up creates one.' }}
      />
    </Page>
  )
}
