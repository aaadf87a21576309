import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiProvider } from '../../api/ApiProvider.tsx'
import type { Api } from '../../api/client.ts'
import { useMakeOperatorApi } from '../../api/OperatorApiProvider.tsx'
import { forgetOperatorToken } from '../../api/operatorToken.ts'
import { sessionQuery } from '../../api/session.ts'
import { operatorScreens } from '../../app/operatorNavigation.ts'
import { Frame } from '../../app/shell/Frame.tsx'
import { SessionSidebar, TokenSidebar } from './OperatorSidebar.tsx'
import { useSessionCommands, useTokenCommands } from './useOperatorCommands.ts'

const route = getRouteApi('/operator-area')

/**
 * Where the area continues afterwards. The page is loaded again, so nothing of what the operator read stays in memory.
 */
const leaveFor = (path: string, more: Readonly<Record<string, string>> = {}): void => {
  const next = location.pathname + location.search
  location.assign(`${path}?${new URLSearchParams({ next, ...more })}`)
}

const promptAgain = (): void => {
  forgetOperatorToken()
  leaveFor('/operator/login', { ended: 'true' })
}

/** The frame of the operator's screens. In it, `useApi` returns the API for the operator. */
export const OperatorFrame = () => {
  const { access } = route.useRouteContext()
  const makeApi = useMakeOperatorApi()
  const queries = useQueryClient()
  const [api] = useState((): Api => {
    const made = makeApi({
      token: access.by === 'token' ? access.token : null,
      onRefused: promptAgain,
      onFactorMissing: () => leaveFor('/operator/second-factor'),
      // The next attempt has the new token.
      onSessionChanged: () => queries.fetchQuery({ ...sessionQuery(made), staleTime: 0 }).catch(() => {}),
    })
    if (access.by === 'session') made.use(access.session)
    return made
  })
  const isByToken = access.by === 'token'
  return (
    <ApiProvider api={api}>
      <Frame
        name="Operator"
        sidebar={(openPalette) =>
          isByToken ? <TokenSidebar openPalette={openPalette} /> : <SessionSidebar openPalette={openPalette} />
        }
        useCommands={isByToken ? useTokenCommands : useSessionCommands}
        screens={operatorScreens}
      />
    </ApiProvider>
  )
}
