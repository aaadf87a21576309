import type { Accounts, IntakeRpc, QuotaRpc, Templates } from './services.ts'

type RequestOf<Method> = Method extends (request: infer Request) => unknown ? Request : never

/** How a method is called where there is a wire between the services. */
export type MethodRules<Method> = {
  /** Longest wait for the answer in milliseconds, repeats included. */
  deadlineMs: number
  /** Whether the same request may be made again by itself where no answer came. A field: only where the request has it. */
  repeatable: boolean | (keyof RequestOf<Method> & string)
}

/** What both ends of a wire know of a service. */
export type Wire<Service> = {
  /** Its file under protos/. */
  proto: string
  /** Its full name there. */
  name: string
  /** Largest request and largest reply, in bytes. */
  messageBytes: number
  methods: { [Method in keyof Service]: MethodRules<Service[Method]> }
}

const mebibyte = 2 ** 20

/**
 * Every request of the API is answered within 5 s: the gateway first asks who it is, then has the rest for one call.
 * What that call asks in its turn has less. Sign-up and log-in ask nobody before, and hash a password.
 */
const [whoMs, callMs, innerMs, passwordMs] = [1_000, 3_800, 2_000, 4_500]

const read = { deadlineMs: callMs, repeatable: true } as const
const write = { deadlineMs: callMs, repeatable: false } as const
/** Idempotent by the id it brings along. */
const counted = { deadlineMs: innerMs, repeatable: true } as const

export const accountsWire: Wire<Accounts> = {
  proto: 'postrider/accounts/v1/accounts.proto',
  name: 'postrider.accounts.v1.Accounts',
  messageBytes: 4 * mebibyte,
  methods: {
    SignUp: { deadlineMs: passwordMs, repeatable: false },
    LogIn: { deadlineMs: passwordMs, repeatable: false },
    LogOut: { deadlineMs: callMs, repeatable: true },
    AuthenticateSession: { deadlineMs: whoMs, repeatable: true },
    AuthenticateKey: { deadlineMs: whoMs, repeatable: true },
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

export const templatesWire: Wire<Templates> = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  // A page of templates comes with their bodies.
  messageBytes: 64 * mebibyte,
  methods: {
    Create: write,
    Get: { deadlineMs: innerMs, repeatable: true },
    List: read,
  },
}

export const quotaWire: Wire<QuotaRpc> = {
  proto: 'postrider/quota/v1/quota.proto',
  name: 'postrider.quota.v1.Quota',
  messageBytes: 4 * mebibyte,
  methods: {
    Reserve: counted,
    Commit: counted,
    Release: counted,
    ListPending: read,
    Settle: counted,
    GetUsage: read,
    SetLimits: write,
    GetLimits: read,
  },
}

export const intakeWire: Wire<IntakeRpc> = {
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
