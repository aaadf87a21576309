import type { Intake } from '@postrider/contracts/services.ts'
import { given } from '@postrider/kit/fault.ts'
import { acceptanceProblems } from './composeEmail.ts'
import { templateProblems } from './resolveContent.ts'
import type { SubmitDeps } from './submit.ts'

/** Judges, of a request whose shape is refused already, what only the workspace and the moment can tell. */
export const checkRequest =
  ({ templates, limits, now }: Pick<SubmitDeps, 'templates' | 'limits' | 'now'>): Intake['Check'] =>
  async (request) => {
    const caller = given(request.caller, 'caller')
    const ofTemplate = await templateProblems(templates, caller.workspace, request)
    return { problems: [...ofTemplate, ...acceptanceProblems({ caller, mail: request, at: now(), limits })] }
  }
