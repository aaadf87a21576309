import { createContext, type ReactNode, use } from 'react'
import type { Api } from './client.ts'
import type { createOperatorApi } from './operatorApi.ts'

/** Returns the API for the operator, by a token or by the session of this browser. */
export type MakeOperatorApi = (deps: Omit<Parameters<typeof createOperatorApi>[0], 'fetch'>) => Api

const MakeContext = createContext<MakeOperatorApi | null>(null)

export const OperatorApiProvider = ({ make, children }: { make: MakeOperatorApi; children: ReactNode }) => (
  <MakeContext value={make}>{children}</MakeContext>
)

/** Returns the function that makes the API for the operator. */
export const useMakeOperatorApi = (): MakeOperatorApi => {
  const make = use(MakeContext)
  if (make === null) throw new Error('useMakeOperatorApi outside OperatorApiProvider')
  return make
}
