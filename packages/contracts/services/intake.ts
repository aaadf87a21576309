import type { Attachment, Lane, UnknownPolicy } from '@postrider/domain/email/email.ts'
import type { SendTime } from '@postrider/domain/email/sendTime.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import type { Position } from '@postrider/domain/position.ts'
import type { Retention } from '@postrider/domain/retention/retention.ts'
import type { Mailbox } from '@postrider/mail/address.ts'
import type { CheckReply__Output as CheckReply } from '../gen/postrider/intake/v1/CheckReply.ts'
import type { Erasure__Output as ErasureMessage } from '../gen/postrider/intake/v1/Erasure.ts'
import type { IntakeDefinition } from '../gen/postrider/intake/v1/Intake.ts'
import type { MoveTestClockRequest__Output as MoveTestClockMessage } from '../gen/postrider/intake/v1/MoveTestClockRequest.ts'
import type { ParkedEmail__Output as ParkedMessage } from '../gen/postrider/intake/v1/ParkedEmail.ts'
import type { QueueDestination__Output as DestinationMessage } from '../gen/postrider/intake/v1/QueueDestination.ts'
import type { QueueLane__Output as LaneMessage } from '../gen/postrider/intake/v1/QueueLane.ts'
import type { Queues__Output as QueuesMessage } from '../gen/postrider/intake/v1/Queues.ts'
import type { RetentionClass__Output as RetentionClassMessage } from '../gen/postrider/intake/v1/RetentionClass.ts'
import type { RetentionReply__Output as RetentionMessage } from '../gen/postrider/intake/v1/RetentionReply.ts'
import type { ValidateReply__Output as ValidateReply } from '../gen/postrider/intake/v1/ValidateReply.ts'
import type { Caller } from './accounts.ts'
import { allowedCalls } from './allowedCalls.ts'
import type {
  CapturedPage,
  CapturedReply,
  ContentReply,
  ContentRequest,
  EmailRequest,
  EmailsPage,
  EventsPage,
  GetCapturedRequest,
  ListCapturedRequest,
  ListEmailsRequest,
  ListEventsRequest,
  RescheduleRequest,
  ResolveRequest,
  StatsRequest,
} from './intakeReads.ts'
import { callMs, innerMs, mebibyte, read, write } from './rules.ts'
import type { Service, ServiceSpec } from './service.ts'
import type { TemplateVars } from './templates.ts'
import type { WithTimes } from './times.ts'

export type IntakeRpc = Service<IntakeDefinition>

/** Fields of messages with a time. */
export const intakeTimes = {
  retentionClass: { always: [], maybe: ['due_since'] },
  erasure: { always: ['created_at'], maybe: ['completed_at'] },
  queueLane: { always: [], maybe: ['oldest_due_at'] },
  queueDestination: { always: ['next_at'] },
  parkedEmail: { always: ['created_at'], maybe: ['parked_at', 'last_attempt_at'] },
} as const

type Times = typeof intakeTimes

export type RetentionReply = Omit<RetentionMessage, 'classes'> & {
  classes: WithTimes<RetentionClassMessage, Times['retentionClass']>[]
}
export type Erasure = WithTimes<ErasureMessage, Times['erasure']>
export type Queues = Omit<QueuesMessage, 'lanes' | 'destinations'> & {
  lanes: WithTimes<LaneMessage, Times['queueLane']>[]
  destinations: WithTimes<DestinationMessage, Times['queueDestination']>[]
}
export type ParkedEmail = WithTimes<ParkedMessage, Times['parkedEmail']>

/**
 * The methods whose messages have times, structured values or texts that stand for no value, as a process uses them.
 * The others are used in their proto form.
 */
type Structured = {
  /** Accepts one email. Repeatable if the request has an id for the email or an `Idempotency-Key`. */
  Submit(request: SubmitRequest): Promise<SubmitReply>
  /**
   * Stores a part of a batch that is too long for one call. Nothing of it is sent before `SubmitBatch` accepts the
   * batch.
   */
  StageBatch(request: StageBatchRequest): Promise<StageBatchReply>
  /** Accepts a batch, with its staged part. The id in the reply is that of the batch. */
  SubmitBatch(request: SubmitBatchRequest): Promise<SubmitReply>
  Check(request: CheckRequest): Promise<CheckReply>
  GetEmail(request: EmailRequest): ReturnType<IntakeRpc['GetEmail']>
  GetRaw(request: EmailRequest): ReturnType<IntakeRpc['GetRaw']>
  GetContent(request: ContentRequest): Promise<ContentReply>
  ExplainEmail(request: EmailRequest): ReturnType<IntakeRpc['ExplainEmail']>
  CancelEmail(request: EmailRequest): ReturnType<IntakeRpc['CancelEmail']>
  ResolveEmail(request: ResolveRequest): ReturnType<IntakeRpc['ResolveEmail']>
  RescheduleEmail(request: RescheduleRequest): ReturnType<IntakeRpc['RescheduleEmail']>
  /** Stops reading when `signal` is aborted; the caller does not read the result then. */
  ListEmails(request: ListEmailsRequest, signal?: AbortSignal): Promise<EmailsPage>
  ListEvents(request: ListEventsRequest, signal?: AbortSignal): Promise<EventsPage>
  ReadStats(request: StatsRequest, signal?: AbortSignal): ReturnType<IntakeRpc['ReadStats']>
  MoveTestClock(request: MoveTestClockRequest): ReturnType<IntakeRpc['MoveTestClock']>
  Validate(request: ValidateRequest): Promise<ValidateReply>
  /** Stops reading when `signal` is aborted. */
  ListCaptured(request: ListCapturedRequest, signal?: AbortSignal): Promise<CapturedPage>
  GetCaptured(request: GetCapturedRequest): Promise<CapturedReply>
  SendSystemMail(request: SystemMailRequest): ReturnType<IntakeRpc['SendSystemMail']>
  GetRetention(request: Request<'GetRetention'>): Promise<RetentionReply>
  CreateErasure(request: Request<'CreateErasure'>): Promise<Erasure>
  GetErasure(request: Request<'GetErasure'>): Promise<Erasure>
  GetQueues(request: Request<'GetQueues'>): Promise<Queues>
  ListParked(request: { limit: number; before: Position | null }): Promise<ParkedPage>
  ReleaseParked(request: Request<'ReleaseParked'>): Promise<ParkedEmail>
  DropParked(request: Request<'DropParked'>): Promise<ParkedEmail>
}

type Request<Method extends keyof IntakeRpc> = Parameters<IntakeRpc[Method]>[0]

export type Intake = Omit<IntakeRpc, keyof Structured | 'SubmitOnce'> & Structured

/** Send time of a message: a time, or a delay after acceptance by the clock of the service that accepts it. */
export type { SendTime }

/** A checked request to send one email; null stands for an absent part. */
export type MailRequest = {
  from: Mailbox | null
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
  replyTo: Mailbox[]
  /** Null in template mode, as `html` and `text` are. */
  subject: string | null
  html: string | null
  text: string | null
  /** `id` may be an alias; `version` absent: the newest. */
  template: { id: string; vars: TemplateVars; version?: number } | null
  domainId: string | null
  headers: Record<string, string>
  attachments: Attachment[]
  tags: Record<string, string>
  metadata: Record<string, string>
  /** Null: immediately. */
  sendAt: SendTime | null
  expiresInMs: number | null
  /** Null: the workspace's setting applies. */
  onUnknown: UnknownPolicy | null
  category: Lane
  topic: string | null
  /** Absent: the workspace's setting applies. */
  retention?: Retention
}

/** The `Idempotency-Key` of a request, and the SHA-256 of the canonical body that it covers. */
export type Idempotency = {
  key: string
  fingerprint: Uint8Array
  /**
   * The fingerprint that release 0.1 computes, so that the responses of that release are replayed; absent: the same.
   */
  formerFingerprint?: Uint8Array
}

export type SubmitRequest = {
  caller: Caller
  mail: MailRequest
  /**
   * Id of the email, unless an earlier request with the key has another. Absent: the caller, of release 0.1, does not
   * repeat.
   */
  emailId?: string
  /** Null: the request has no `Idempotency-Key`. */
  idempotency: Idempotency | null
  /** Method and path; part of the key's scope. */
  operation: string
  requestId: string
  /** Whether this repeats a call for the same HTTP request, because its response was lost. Default: false. */
  isRepeat?: boolean
}

/** A message of a batch; `number` is its index in the request. */
export type BatchMail = { number: number; mail: MailRequest }

/** Reason why one message of a batch is refused: a code of `Fault`, and problems with their paths in the message. */
export type BatchRefusal = {
  number: number
  code: string
  detail: string
  problems: readonly { path: string; code: string; message: string }[]
}

/** A batch with staged messages, as intake named it; `at` is the time of its acceptance. */
export type StagedBatch = { id: string; at: number }

export type StageBatchRequest = {
  caller: Caller
  /** Null: the first part. */
  staged: StagedBatch | null
  mails: BatchMail[]
  requestId: string
  /**
   * The key under which the batch will be submitted, and its operation. Absent: it has none, or the caller is of an
   * earlier release.
   */
  keyed?: { key: string; operation: string }
}

export type StageBatchReply = { staged: StagedBatch; refusals: BatchRefusal[] }

export type SubmitBatchRequest = Omit<SubmitRequest, 'mail' | 'emailId'> & {
  staged: StagedBatch | null
  /** Messages that were not staged. */
  mails: BatchMail[]
  /** Messages that are refused already. */
  refusals: readonly BatchRefusal[]
  /** Messages of the request. */
  count: number
  /** Whether messages that are not refused are accepted without the others. */
  isPermissive: boolean
}

/** Durable result of `Submit`. */
export type SubmitReply = {
  id: string
  /** HTTP status of the first response. */
  status: number
  /** The email record of the first response as JSON, byte for byte. */
  bodyJson: string
  replayed: boolean
  /** Null for test mail, for replays and where nothing is limited. */
  quota: QuotaAfterSend | null
}

/** The tighter quota after a send; `resetsInMs` is measured by the clock of intake. */
export type QuotaAfterSend = { limit: number; remaining: number; resetsAt: number; resetsInMs: number }

/** The well-formed parts of a refused request that only the workspace and the time of the request can judge. */
export type CheckRequest = {
  caller: Caller
  /** `vars` null: absent or not well-formed. */
  template: { id: string; vars: TemplateVars | null; version?: number } | null
  from: Mailbox | null
  domainId: string | null
  sendAt: SendTime | null
  category: Lane
  retention?: Retention
  /**
   * Recipients in the order of the request, if the key is limited to some recipients. An empty address could not be
   * parsed.
   */
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
}

export type SystemMailRequest = Omit<SystemMessage, 'html'> & { html: string | null }

/** `position`: of the last email; null: there is none. */
export type ParkedPage = { emails: ParkedEmail[]; position: Position | null; hasMore: boolean }

/** A move of the test clock of the caller's workspace. */
type MoveTestClockRequest = Omit<MoveTestClockMessage, 'caller'> & { caller: Caller }

/** A message that is only checked: a well-formed one, or what can be read of a refused one, with all its recipients. */
export type ValidateRequest = { caller: Caller } & ({ mail: MailRequest } | { parts: Omit<CheckRequest, 'caller'> })

export const intakeSpec: ServiceSpec<IntakeRpc> = {
  proto: 'postrider/intake/v1/intake.proto',
  name: 'postrider.intake.v1.Intake',
  callers: { gateway: allowedCalls.gateway.intake, accounts: allowedCalls.accounts.intake },
  messageBytes: 64 * mebibyte,
  methods: {
    Submit: { deadlineMs: callMs, repeatable: 'idempotency_key', repeatField: 'is_repeat' },
    SubmitOnce: { deadlineMs: callMs, repeatable: true, repeatField: 'is_repeat', formerMethod: 'Submit' },
    StageBatch: write,
    SubmitBatch: { deadlineMs: callMs, repeatable: 'idempotency_key', repeatField: 'is_repeat' },
    Check: read,
    GetEmail: read,
    GetRaw: { ...read, hasLongReply: true },
    ListEmails: read,
    CancelEmail: write,
    ResolveEmail: write,
    ListCaptured: read,
    GetCaptured: { ...read, hasLongReply: true },
    SendSystemMail: { deadlineMs: callMs, repeatable: true },
    GetRetention: read,
    CreateErasure: write,
    GetErasure: read,
    ListEvents: read,
    ReadStats: read,
    RescheduleEmail: write,
    GetContent: { ...read, hasLongReply: true },
    ExplainEmail: read,
    Validate: read,
    GetTestClock: read,
    MoveTestClock: write,
    GetQueues: read,
    CountDispatchers: { ...read, deadlineMs: innerMs },
    ListParked: read,
    ReleaseParked: write,
    DropParked: write,
  },
}
