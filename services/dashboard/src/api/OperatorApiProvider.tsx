import { createContext, type ReactNode, use } from 'react'
import type { Api } from './client.ts'

/** Returns the API with a token of the operator. `onRefused` is called when the service does not accept the token. */
export type MakeOperatorApi = (deps: { token: string; onRefused: () => void }) => Api

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
