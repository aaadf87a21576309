import { useApi } from '../../api/ApiProvider.tsx'
import { forgetOperatorToken } from '../../api/operatorToken.ts'
import { problemOf, problemText } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { useToast } from '../../ui/Toast.tsx'

/**
 * Returns a function that ends the session. The tab deletes the operator's token too. The page is loaded again, so
 * nothing of the session stays in memory.
 */
export const useLogOut = (): (() => void) => {
  const api = useApi()
  const session = useSession()
  const toast = useToast()
  const leave = (): void => {
    forgetOperatorToken()
    location.assign('/login')
  }
  return () => {
    const ended = api.post('/api/v1/auth/logout')
    // Reads that are refused from now on are not of a session that ended by itself.
    api.use(null)
    ended.then(leave, (error: unknown) => {
      if (problemOf(error).status === 401) return leave()
      api.use(session)
      toast({ tone: 'bad', title: 'You are still logged in', detail: problemText(error) })
    })
  }
}
