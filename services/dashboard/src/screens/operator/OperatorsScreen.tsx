import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ShieldUser, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Operator, operatorPages, readOperatorsAgain } from '../../api/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Page } from '../../ui/Page.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { operatorColumns } from './operatorColumns.tsx'
import { RecordList } from './RecordList.tsx'

/** Loaded when it is opened, because it contains the schema of the API's body. */
const AddOperatorDialog = lazy(() =>
  import('./AddOperatorDialog.tsx').then((module) => ({ default: module.AddOperatorDialog })),
)

const area = getRouteApi('/operator-area')
const route = getRouteApi('/operator-area/operator/operators')

/** The people who may act as the operator. They can be added and removed only with the operator's token. */
export const OperatorsScreen = () => {
  const { access } = area.useRouteContext()
  const { add } = route.useSearch()
  const navigate = route.useNavigate()
  const pages = useInfiniteQuery(operatorPages(useApi()))
  const [removed, setRemoved] = useState<Operator | null>(null)
  const mayChange = access.by === 'token'
  const setAdding = (isAdding: boolean) => navigate({ search: isAdding ? { add: true } : {}, replace: true })
  return (
    <Page
      title="Operators"
      intro={
        mayChange
          ? 'People who may use these pages with their own account and two-factor authentication.'
          : 'People who may use these pages with their own account. Open them with the operator token to add or remove one.'
      }
      actions={
        mayChange && (
          <Button variant="solid" onClick={() => setAdding(true)}>
            <UserPlus aria-hidden className="size-4" />
            Add an operator
          </Button>
        )
      }
    >
      <RecordList
        pages={pages}
        label="Operators"
        many="operators"
        columns={operatorColumns({
          self: access.by === 'session' ? access.session.user.id : null,
          remove: mayChange ? setRemoved : null,
        })}
        empty={{
          icon: ShieldUser,
          title: 'No operator yet',
          text: 'Add a person by the address of their account. The audit log then names the person, which is not possible for a shared token.',
        }}
      />
      <Suspense>{add && mayChange && <AddOperatorDialog onClose={() => setAdding(false)} />}</Suspense>
      {removed && <RemoveOperatorDialog operator={removed} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

/** Removes an operator, after the address was typed. */
const RemoveOperatorDialog = ({ operator, onClose }: { operator: Operator; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, email } = operator
  return (
    <ConfirmDialog
      title="Remove operator"
      action="Remove operator"
      name={email}
      onClose={onClose}
      run={async () => {
        await api.delete('/api/v1/operator/operators/{id}', { path: { id } })
        await readOperatorsAgain(queries)
        toast({ title: `${email} is no longer an operator` })
      }}
    >
      <p>The next request of the person as the operator is refused. The account and its workspaces stay.</p>
    </ConfirmDialog>
  )
}
