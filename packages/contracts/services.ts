import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountsDefinition } from './gen/postrider/accounts/v1/Accounts.ts'
import type { IntakeDefinition } from './gen/postrider/intake/v1/Intake.ts'
import type { QuotaDefinition } from './gen/postrider/quota/v1/Quota.ts'
import type { TemplatesDefinition } from './gen/postrider/templates/v1/Templates.ts'

/**
 * A service as its callers see it, derived from its proto: one async function per method, over whole messages.
 * Standalone passes the functions themselves; in a cluster a gRPC client takes their place.
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

type RequestOf<Method> = Method extends (request: infer Request) => unknown ? Request : never

/** How a method is called over gRPC. */
export type MethodRules<Method> = {
  /** Longest wait for the answer in milliseconds, retries included. */
  deadlineMs: number
  /** Whether the client repeats the same request after no response. The name of a field: only when the request has it. */
  repeatable: boolean | (keyof RequestOf<Method> & string)
}

/** What client and server of a service share. */
export type ServiceSpec<Service> = {
  /** Path of the file under protos/. */
  proto: string
  /** Full name in that file. */
  name: string
  /** Largest request and largest reply, in bytes. */
  messageBytes: number
  methods: { [Method in keyof Service]: MethodRules<Service[Method]> }
}

const mebibyte = 2 ** 20

/**
 * Every API request is answered within 5 s: the gateway first authenticates the caller (`authenticateMs`), and the rest is
 * left for one call (`callMs`). The calls that this one makes get less (`innerMs`). Sign-up and log-in need no
 * authentication before and hash a password (`passwordMs`).
 */
const [authenticateMs, callMs, innerMs, passwordMs] = [1_000, 3_800, 2_000, 4_500]

const read = { deadlineMs: callMs, repeatable: true } as const
const write = { deadlineMs: callMs, repeatable: false } as const
/** Idempotent by the id in the request. */
const idempotent = { deadlineMs: innerMs, repeatable: true } as const

export const accountsSpec: ServiceSpec<Accounts> = {
  proto: 'postrider/accounts/v1/accounts.proto',
  name: 'postrider.accounts.v1.Accounts',
  messageBytes: 4 * mebibyte,
  methods: {
    SignUp: { deadlineMs: passwordMs, repeatable: false },
    LogIn: { deadlineMs: passwordMs, repeatable: false },
    LogOut: { deadlineMs: callMs, repeatable: true },
    AuthenticateSession: { deadlineMs: authenticateMs, repeatable: true },
    AuthenticateKey: { deadlineMs: authenticateMs, repeatable: true },
    GetWorkspace: read,
    UpdateWorkspace: write,
    CreateKey: write,
    ListKeys: read,
    UpdateKey: write,
    RevokeKey: { deadlineMs: callMs, repeatable: true },
    ListWorkspaces: read,
    SetWorkspaceControls: write,
  },
}

export const templatesSpec: ServiceSpec<Templates> = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  // A page of templates includes their bodies.
  messageBytes: 64 * mebibyte,
  methods: {
    Create: write,
    Get: { deadlineMs: innerMs, repeatable: true },
    List: read,
  },
}

export const quotaSpec: ServiceSpec<Quota> = {
  proto: 'postrider/quota/v1/quota.proto',
  name: 'postrider.quota.v1.Quota',
  messageBytes: 4 * mebibyte,
  methods: {
    Reserve: idempotent,
    Commit: idempotent,
    Release: idempotent,
    ListPending: read,
    Settle: idempotent,
    GetUsage: read,
    SetLimits: write,
    GetLimits: read,
  },
}

export const intakeSpec: ServiceSpec<Intake> = {
  proto: 'postrider/intake/v1/intake.proto',
  name: 'postrider.intake.v1.Intake',
  messageBytes: 64 * mebibyte,
  methods: {
    Submit: { deadlineMs: callMs, repeatable: 'idempotency_key' },
    Check: read,
    GetEmail: read,
    GetRaw: read,
    ListEmails: read,
    CancelEmail: write,
    ResolveEmail: write,
    ListCaptured: read,
    GetCaptured: read,
  },
}
