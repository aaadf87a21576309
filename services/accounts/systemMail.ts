import type { Intake } from '@postrider/contracts/services.ts'
import type { SystemMail } from '@postrider/ports/systemMail.ts'

/** Returns the mail of the platform over intake: a function in standalone, a gRPC client in a cluster. */
export const systemMail = (intake: Pick<Intake, 'SendSystemMail'>): SystemMail => ({
  send: async ({ to, subject, text, html, idempotencyKey, expiresInMs }) => {
    const expiry = expiresInMs === undefined ? {} : { expires_in_ms: expiresInMs }
    await intake.SendSystemMail({ to, subject, text, html, idempotency_key: idempotencyKey, ...expiry })
  },
})
