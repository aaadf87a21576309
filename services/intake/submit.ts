import type { Intake } from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import { refuseSuspended } from './acceptance.ts'
import type { Deps, SubmitDeps } from './acceptEmail.ts'
import { acceptKeyed } from './acceptKeyed.ts'
import { acceptUnkeyed } from './acceptUnkeyed.ts'
import type { Submission } from './composeEmail.ts'
import { keyLeases } from './keyLeases.ts'
import { clockOffsetsOf, followAccepted } from './testClocks.ts'

/**
 * Accepts an email or refuses it. A suspended workspace is refused first. Each step may be repeated by another request
 * after a crash. A request that fails ends its claim before the response (`afterFailure`), so the repeated request takes
 * over immediately:
 *
 * 1. claim the `Idempotency-Key`: the claim fixes the email's id and the time of acceptance. A full queue refuses new
 *    mail only, so a repeated request gets its response;
 * 2. render, and check what depends on the store and on that time: a refusal releases the key;
 * 3. reserve the sends under the email's id;
 * 4. insert the email under that id: dispatchers claim it when it is due;
 * 5. write the line of the ledger; if that is not possible now, the sweep writes it;
 * 6. store the response under the key, wait until everything is on disk, and ring the doorbell.
 *
 * Steps 2 to 5 are acceptEmail.ts, with the checks of acceptance.ts and the sends of sends.ts. Steps 1 and 6 are acceptKeyed.ts;
 * acceptUnkeyed.ts replaces them for mail without a key.
 */
export const submit = (given: SubmitDeps, slices = makeSlices()): Intake['Submit'] => {
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async ({ caller, mail, emailId, idempotency, operation, requestId, isRepeat = false }) => {
    refuseSuspended(caller)
    const submission: Submission = {
      caller,
      mail,
      requestId,
      traceparent: recordedTraceparent(),
      id: emailId ?? newId('em'),
      at: deps.now(),
      ...(await clockOffsetsOf(deps, caller)),
    }
    const { email, reply } =
      idempotency === null
        ? await acceptUnkeyed(deps, submission, { isRepeat, isNamed: emailId !== undefined })
        : await acceptKeyed(deps, submission, { operation, isRepeat, ...idempotency })
    if (email) {
      await followAccepted(deps, [email])
      deps.accepted(email)
      deps.doorbell.ring(email.category, [dueOf(email)])
    }
    return reply
  }
}
