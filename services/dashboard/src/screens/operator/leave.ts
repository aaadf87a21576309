import { forgetOperatorToken } from '../../api/operatorToken.ts'

/** Ends the operator's use of this tab. The page is loaded again, so nothing of what was read stays in memory. */
export const leaveOperatorArea = (): void => {
  forgetOperatorToken()
  location.assign('/operator/login')
}
