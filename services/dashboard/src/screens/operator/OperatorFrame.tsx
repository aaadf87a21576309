import { useState } from 'react'
import { ApiProvider } from '../../api/ApiProvider.tsx'
import { useMakeOperatorApi } from '../../api/OperatorApiProvider.tsx'
import { forgetOperatorToken, operatorToken } from '../../api/operatorToken.ts'
import { operatorScreens } from '../../app/operatorNavigation.ts'
import { Frame } from '../../app/shell/Frame.tsx'
import { OperatorSidebar } from './OperatorSidebar.tsx'
import { useOperatorCommands } from './useOperatorCommands.ts'

/** The page is loaded again, so nothing of what the operator read stays in memory. */
const askAgain = (): void => {
  forgetOperatorToken()
  const next = location.pathname + location.search
  location.assign(`/operator/login?${new URLSearchParams({ next, ended: 'true' })}`)
}

/** The frame of the operator's screens. In it, `useApi` returns the API with the operator's token. */
export const OperatorFrame = () => {
  const makeApi = useMakeOperatorApi()
  const [api] = useState(() => makeApi({ token: operatorToken() ?? '', onRefused: askAgain }))
  return (
    <ApiProvider api={api}>
      <Frame
        name="Operator"
        sidebar={(openPalette) => <OperatorSidebar openPalette={openPalette} />}
        useCommands={useOperatorCommands}
        screens={operatorScreens}
      />
    </ApiProvider>
  )
}
