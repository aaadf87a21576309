import type { ListParkedReply__Output as ParkedPageMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListParkedReply.ts'
import type { Queues__Output as QueuesMessage } from '@postrider/contracts/gen/postrider/intake/v1/Queues.ts'
import type { RetentionReply__Output as RetentionMessage } from '@postrider/contracts/gen/postrider/intake/v1/RetentionReply.ts'
import type { SystemMailRequest__Output as SystemMailMessage } from '@postrider/contracts/gen/postrider/intake/v1/SystemMailRequest.ts'
import {
  type Intake,
  type IntakeRpc,
  intakeTimes,
  type ParkedPage,
  type Queues,
  type RetentionReply,
  type SystemMailRequest,
} from '@postrider/contracts/services.ts'
import { parsePosition, positionText } from '@postrider/domain/position.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import { callerMessage, textOrNull } from './callers.ts'
import {
  batchMailMessage,
  mailMessage,
  partsMessage,
  readBatchMail,
  readMail,
  readMailCaller,
  readParts,
  readSubmit,
  readSubmitReply,
  readTime,
  submitReplyMessage,
  timeFields,
} from './intakeMail.ts'
import {
  capturedPageMessage,
  capturedReplyMessage,
  getCapturedMessage,
  listCapturedMessage,
  readCapturedPage,
  readCapturedReply,
  readGetCaptured,
  readListCaptured,
} from './intakeMailbox.ts'
import {
  contentMessage,
  contentRequestMessage,
  emailMessage,
  emailsPageMessage,
  eventsMessage,
  listEmailsMessage,
  listEventsMessage,
  readContent,
  readContentRequest,
  readEmail,
  readEmailsPage,
  readEvents,
  readListEmails,
  readListEvents,
  readResolve,
  readStats,
  statsMessage,
} from './intakeReads.ts'
import { codec } from './times.ts'

/** Returns intake for its callers, over a gRPC client. */
export const intakeClient = (rpc: IntakeRpc): Intake => ({
  ...rpc,
  Submit: async ({ caller, mail, emailId, idempotency, operation, requestId }) =>
    readSubmitReply(
      await (emailId === undefined ? rpc.Submit : rpc.SubmitOnce)({
        caller: callerMessage(caller),
        mail: mailMessage(mail),
        email_id: emailId ?? '',
        idempotency_key: idempotency?.key ?? '',
        fingerprint: Buffer.from(idempotency?.fingerprint ?? []),
        former_fingerprint: Buffer.from(idempotency?.formerFingerprint ?? []),
        operation,
        request_id: requestId,
        // The gRPC client sets it when it repeats the call (`repeatField`).
        is_repeat: false,
      }),
    ),
  StageBatch: async ({ caller, staged, mails, requestId, keyed }) => {
    const reply = await rpc.StageBatch({
      caller: callerMessage(caller),
      ...(staged && { staged }),
      mails: mails.map(batchMailMessage),
      request_id: requestId,
      idempotency_key: keyed?.key ?? '',
      operation: keyed?.operation ?? '',
    })
    return { staged: requirePart(reply.staged, 'staged'), refusals: reply.refusals }
  },
  SubmitBatch: async ({ caller, staged, mails, refusals, count, isPermissive, idempotency, operation, requestId }) =>
    readSubmitReply(
      await rpc.SubmitBatch({
        caller: callerMessage(caller),
        ...(staged && { staged }),
        mails: mails.map(batchMailMessage),
        refusals: refusals.map((refusal) => ({ ...refusal, problems: [...refusal.problems] })),
        count,
        permissive: isPermissive,
        idempotency_key: idempotency?.key ?? '',
        fingerprint: Buffer.from(idempotency?.fingerprint ?? []),
        operation,
        request_id: requestId,
        // The gRPC client sets it when it repeats the call (`repeatField`).
        is_repeat: false,
      }),
    ),
  Check: ({ caller, ...parts }) => rpc.Check({ ...partsMessage(parts), caller: callerMessage(caller) }),
  GetEmail: (request) => rpc.GetEmail(emailMessage(request)),
  GetRaw: (request) => rpc.GetRaw(emailMessage(request)),
  GetContent: async (request) => readContent(await rpc.GetContent(contentRequestMessage(request))),
  ExplainEmail: (request) => rpc.ExplainEmail(emailMessage(request)),
  CancelEmail: (request) => rpc.CancelEmail(emailMessage(request)),
  ResolveEmail: ({ as, ...request }) => rpc.ResolveEmail({ ...emailMessage(request), as }),
  RescheduleEmail: ({ sendAt, ...request }) => rpc.RescheduleEmail({ ...emailMessage(request), ...timeFields(sendAt) }),
  ListEmails: async (request, signal) => readEmailsPage(await rpc.ListEmails(listEmailsMessage(request), signal)),
  ListEvents: async (request, signal) => readEvents(await rpc.ListEvents(listEventsMessage(request), signal)),
  ReadStats: (request, signal) => rpc.ReadStats(statsMessage(request), signal),
  MoveTestClock: ({ caller, ...request }) => rpc.MoveTestClock({ ...request, caller: callerMessage(caller) }),
  Validate: ({ caller, ...checked }) =>
    rpc.Validate({
      caller: callerMessage(caller),
      ...('mail' in checked ? { mail: mailMessage(checked.mail) } : { parts: partsMessage(checked.parts) }),
    }),
  ListCaptured: async (request, signal) =>
    readCapturedPage(await rpc.ListCaptured(listCapturedMessage(request), signal)),
  GetCaptured: async (request) => readCapturedReply(await rpc.GetCaptured(getCapturedMessage(request))),
  SendSystemMail: (request) => rpc.SendSystemMail(systemMailMessage(request)),
  GetRetention: async (request) => readRetention(await rpc.GetRetention(request)),
  CreateErasure: async (request) => erasure.read(await rpc.CreateErasure(request)),
  GetErasure: async (request) => erasure.read(await rpc.GetErasure(request)),
  GetQueues: async (request) => readQueues(await rpc.GetQueues(request)),
  ListParked: async ({ limit, before }) =>
    readParkedPage(await rpc.ListParked({ limit, before: before === null ? '' : positionText(before) })),
  ReleaseParked: async (request) => parkedEmail.read(await rpc.ReleaseParked(request)),
  DropParked: async (request) => parkedEmail.read(await rpc.DropParked(request)),
})

/** Returns the gRPC handlers of intake. */
export const intakeHandlers = (intake: Intake): IntakeRpc => ({
  ...intake,
  Submit: async (request) => submitReplyMessage(await intake.Submit(readSubmit(request))),
  SubmitOnce: async (request) =>
    submitReplyMessage(await intake.Submit({ ...readSubmit(request), emailId: request.email_id })),
  StageBatch: async (request) => {
    const { idempotency_key: key, operation } = request
    const { staged, refusals } = await intake.StageBatch({
      caller: readMailCaller(request.caller),
      staged: request.staged ?? null,
      mails: request.mails.map(readBatchMail),
      requestId: request.request_id,
      ...(key !== '' && { keyed: { key, operation } }),
    })
    return { staged, refusals: refusals.map((refusal) => ({ ...refusal, problems: [...refusal.problems] })) }
  },
  SubmitBatch: async (request) =>
    submitReplyMessage(
      await intake.SubmitBatch({
        caller: readMailCaller(request.caller),
        staged: request.staged ?? null,
        mails: request.mails.map(readBatchMail),
        refusals: request.refusals,
        count: request.count,
        isPermissive: request.permissive,
        idempotency:
          request.idempotency_key === '' ? null : { key: request.idempotency_key, fingerprint: request.fingerprint },
        operation: request.operation,
        requestId: request.request_id,
        ...(request.is_repeat && { isRepeat: true }),
      }),
    ),
  Check: (request) => intake.Check({ caller: readMailCaller(request.caller), ...readParts(request) }),
  GetEmail: (request) => intake.GetEmail(readEmail(request)),
  GetRaw: (request) => intake.GetRaw(readEmail(request)),
  GetContent: async (request) => contentMessage(await intake.GetContent(readContentRequest(request))),
  ExplainEmail: (request) => intake.ExplainEmail(readEmail(request)),
  CancelEmail: (request) => intake.CancelEmail(readEmail(request)),
  ResolveEmail: async (request) => intake.ResolveEmail(readResolve(request)),
  RescheduleEmail: ({ reader, id, ...time }) =>
    intake.RescheduleEmail({ ...readEmail({ reader, id }), sendAt: requirePart(readTime(time), 'scheduled_at') }),
  ListEmails: async (request, signal) => emailsPageMessage(await intake.ListEmails(readListEmails(request), signal)),
  ListEvents: async (request, signal) => eventsMessage(await intake.ListEvents(readListEvents(request), signal)),
  ReadStats: (request, signal) => intake.ReadStats(readStats(request), signal),
  MoveTestClock: ({ caller, ...request }) => intake.MoveTestClock({ ...request, caller: readMailCaller(caller) }),
  Validate: ({ caller: message, mail, parts }) => {
    const caller = readMailCaller(message)
    return mail
      ? intake.Validate({ caller, mail: readMail(mail) })
      : intake.Validate({ caller, parts: readParts(requirePart(parts, 'parts')) })
  },
  ListCaptured: async (request, signal) =>
    capturedPageMessage(await intake.ListCaptured(readListCaptured(request), signal)),
  GetCaptured: async (request) => capturedReplyMessage(await intake.GetCaptured(readGetCaptured(request))),
  SendSystemMail: (request) => intake.SendSystemMail(readSystemMail(request)),
  GetRetention: async (request) => retentionMessage(await intake.GetRetention(request)),
  CreateErasure: async (request) => erasure.write(await intake.CreateErasure(request)),
  GetErasure: async (request) => erasure.write(await intake.GetErasure(request)),
  GetQueues: async (request) => queuesMessage(await intake.GetQueues(request)),
  ListParked: async ({ limit, before }) =>
    parkedPageMessage(await intake.ListParked({ limit, before: parsePosition(before) })),
  ReleaseParked: async (request) => parkedEmail.write(await intake.ReleaseParked(request)),
  DropParked: async (request) => parkedEmail.write(await intake.DropParked(request)),
})

const retentionClass = codec(intakeTimes.retentionClass)
const erasure = codec(intakeTimes.erasure)
const queueLane = codec(intakeTimes.queueLane)
const queueDestination = codec(intakeTimes.queueDestination)
const parkedEmail = codec(intakeTimes.parkedEmail)

const systemMailMessage = ({ html, idempotencyKey, expiresInMs, ...mail }: SystemMailRequest): SystemMailMessage => ({
  ...mail,
  html: html ?? '',
  idempotency_key: idempotencyKey,
  ...(expiresInMs !== undefined && { expires_in_ms: expiresInMs }),
})

const readSystemMail = ({ html, idempotency_key, expires_in_ms, ...mail }: SystemMailMessage): SystemMailRequest => ({
  ...mail,
  html: textOrNull(html),
  idempotencyKey: idempotency_key,
  ...(expires_in_ms !== undefined && { expiresInMs: expires_in_ms }),
})

const parkedPageMessage = ({ emails, position, hasMore }: ParkedPage): ParkedPageMessage => ({
  emails: emails.map(parkedEmail.write),
  position: position === null ? '' : positionText(position),
  has_more: hasMore,
})

const readParkedPage = ({ emails, position, has_more }: ParkedPageMessage): ParkedPage => ({
  emails: emails.map(parkedEmail.read),
  position: parsePosition(position),
  hasMore: has_more,
})

const retentionMessage = ({ classes, ...days }: RetentionReply): RetentionMessage => ({
  ...days,
  classes: classes.map(retentionClass.write),
})

const readRetention = ({ classes, ...days }: RetentionMessage): RetentionReply => ({
  ...days,
  classes: classes.map(retentionClass.read),
})

const queuesMessage = ({ lanes, destinations, ...counts }: Queues): QueuesMessage => ({
  ...counts,
  lanes: lanes.map(queueLane.write),
  destinations: destinations.map(queueDestination.write),
})

const readQueues = ({ lanes, destinations, ...counts }: QueuesMessage): Queues => ({
  ...counts,
  lanes: lanes.map(queueLane.read),
  destinations: destinations.map(queueDestination.read),
})
