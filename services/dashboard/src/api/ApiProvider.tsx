import { createContext, type ReactNode, use } from 'react'
import type { Api } from './client.ts'

const ApiContext = createContext<Api | null>(null)

export const ApiProvider = ({ api, children }: { api: Api; children: ReactNode }) => (
  <ApiContext value={api}>{children}</ApiContext>
)

/** Returns the API with the session of this tab. */
export const useApi = (): Api => {
  const api = use(ApiContext)
  if (api === null) throw new Error('useApi outside ApiProvider')
  return api
}
