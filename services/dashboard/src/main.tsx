import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiProvider } from './api/ApiProvider.tsx'
import { createApi, isWorthRetrying } from './api/client.ts'
import { type MakeOperatorApi, OperatorApiProvider } from './api/OperatorApiProvider.tsx'
import { createOperatorApi } from './api/operatorApi.ts'
import { problemOf } from './api/problem.ts'
import { repairLanguage } from './app/language.ts'
import { ModeProvider } from './app/mode.tsx'
import { createAppRouter } from './app/router.ts'
import { configureSchemas } from './app/schemaTexts.ts'
import { applyTheme, storedTheme } from './app/theme.ts'
import { fetchOrPending } from './first.ts'
import './styles.css'
import { NowProvider } from './ui/RelativeTime.tsx'
import { ToastProvider } from './ui/Toast.tsx'

/** Few people need it. */
const OtherWorkspaceDialog = lazy(async () => ({
  default: (await import('./app/OtherWorkspaceDialog.tsx')).OtherWorkspaceDialog,
}))

repairLanguage(navigator)
configureSchemas()
applyTheme(storedTheme())

const start = () => {
  const state = { isSigningOut: false, showOtherWorkspace: () => {} }
  const api = createApi({
    fetch: fetchOrPending,
    onSignedOut: () => {
      if (state.isSigningOut) return
      state.isSigningOut = true
      const next = location.pathname + location.search
      location.assign(`/login?${new URLSearchParams({ next, ended: 'true' })}`)
    },
    onOtherWorkspace: () => state.showOtherWorkspace(),
  })
  const makeOperatorApi: MakeOperatorApi = (deps) =>
    createOperatorApi({ fetch: (input, init) => fetch(input, init), ...deps })
  const queries = new QueryClient({
    queryCache: new QueryCache({
      // A lost role changes what the screens offer.
      onError: (error) => {
        if (problemOf(error).status === 403) queries.invalidateQueries({ queryKey: ['session'] })
      },
    }),
    defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000 } },
  })
  const router = createAppRouter({ api, queries })

  const App = () => {
    const [isElsewhere, setElsewhere] = useState(false)
    state.showOtherWorkspace = () => setElsewhere(true)
    return (
      <QueryClientProvider client={queries}>
        <ApiProvider api={api}>
          <NowProvider>
            <ModeProvider>
              <ToastProvider>
                <OperatorApiProvider make={makeOperatorApi}>
                  <RouterProvider router={router} />
                </OperatorApiProvider>
                <Suspense>{isElsewhere && <OtherWorkspaceDialog />}</Suspense>
              </ToastProvider>
            </ModeProvider>
          </NowProvider>
        </ApiProvider>
      </QueryClientProvider>
    )
  }

  const element = document.getElementById('root')
  if (element) {
    createRoot(element).render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
  }
}

start()
