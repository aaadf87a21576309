import { useApi } from '../../api/ApiProvider.tsx'
import { forgetOperatorToken } from '../../api/operatorToken.ts'
import { problemText } from '../../api/problem.ts'
import { useToast } from '../../ui/Toast.tsx'

/**
 * Returns a function that ends the session. The tab forgets the operator's token too. The page is loaded again, so nothing of
 * the session stays in memory.
 */
export const useLogOut = (): (() => void) => {
  const api = useApi()
  const toast = useToast()
  return () => {
    api.post('/api/v1/auth/logout').then(
      () => {
        forgetOperatorToken()
        location.assign('/login')
      },
      (error: unknown) => toast({ tone: 'bad', title: 'You are still logged in', detail: problemText(error) }),
    )
  }
}
