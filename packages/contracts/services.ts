import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountsDefinition } from './gen/postrider/accounts/v1/Accounts.ts'
import type { IntakeDefinition } from './gen/postrider/intake/v1/Intake.ts'
import type { QuotaDefinition } from './gen/postrider/quota/v1/Quota.ts'
import type { TemplatesDefinition } from './gen/postrider/templates/v1/Templates.ts'

/**
 * A service as its callers see it, made from its proto: one async function a method, over whole messages.
 * Standalone hands the functions over as they are; a cluster puts a gRPC client in their place.
 */
export type Service<Definition> = {
  [Method in keyof Definition as string extends Method ? never : Method]: Definition[Method] extends MethodDefinition<
    infer _Request,
    infer _Reply,
    infer Request,
    infer Reply
  >
    ? (request: Request) => Promise<Reply>
    : never
}

export type Accounts = Service<AccountsDefinition>
export type Intake = Service<IntakeDefinition>
export type Quota = Service<QuotaDefinition>
export type Templates = Service<TemplatesDefinition>
