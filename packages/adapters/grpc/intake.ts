import type { CapturedReply__Output as CapturedReplyMessage } from '@postrider/contracts/gen/postrider/intake/v1/CapturedReply.ts'
import type { ListEventsReply__Output as EventsMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListEventsReply.ts'
import type { Queues__Output as QueuesMessage } from '@postrider/contracts/gen/postrider/intake/v1/Queues.ts'
import type { RetentionReply__Output as RetentionMessage } from '@postrider/contracts/gen/postrider/intake/v1/RetentionReply.ts'
import {
  type CapturedReply,
  type EventsPage,
  type Intake,
  type IntakeRpc,
  intakeTimes,
  type Queues,
  type RetentionReply,
} from '@postrider/contracts/services.ts'
import { given } from '@postrider/kit/fault.ts'
import { callerMessage } from './callers.ts'
import {
  batchMailMessage,
  mailMessage,
  partsMessage,
  readBatchMail,
  readCaller,
  readMail,
  readParts,
  readSubmit,
  readSubmitReply,
  readTime,
  submitReplyMessage,
  timeFields,
} from './intakeMail.ts'
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
  StageBatch: async ({ caller, staged, mails, requestId }) => {
    const reply = await rpc.StageBatch({
      caller: callerMessage(caller),
      ...(staged && { staged }),
      mails: mails.map(batchMailMessage),
      request_id: requestId,
    })
    return { staged: given(reply.staged, 'staged'), refusals: reply.refusals }
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
  ListEmails: (request, signal) => rpc.ListEmails(emailQuery.write(request), signal),
  ListEvents: async (request, signal) => readEvents(await rpc.ListEvents(request, signal)),
  RescheduleEmail: ({ reader, id, sendAt }) => rpc.RescheduleEmail({ reader, id, ...timeFields(sendAt) }),
  MoveTestClock: ({ caller, ...request }) => rpc.MoveTestClock({ ...request, caller: callerMessage(caller) }),
  Validate: ({ caller, ...checked }) =>
    rpc.Validate({
      caller: callerMessage(caller),
      ...('mail' in checked ? { mail: mailMessage(checked.mail) } : { parts: partsMessage(checked.parts) }),
    }),
  GetContent: async (request) => content.read(await rpc.GetContent(request)),
  ListCaptured: async (request, signal) => {
    const { captured: mails, ...page } = await rpc.ListCaptured(request, signal)
    return { ...page, captured: mails.map(captured.read) }
  },
  GetCaptured: async (request) => readCaptured(await rpc.GetCaptured(request)),
  GetRetention: async (request) => readRetention(await rpc.GetRetention(request)),
  CreateErasure: async (request) => erasure.read(await rpc.CreateErasure(request)),
  GetErasure: async (request) => erasure.read(await rpc.GetErasure(request)),
  GetQueues: async (request) => readQueues(await rpc.GetQueues(request)),
  ListParked: async (request) => {
    const { emails, ...page } = await rpc.ListParked(request)
    return { ...page, emails: emails.map(parkedEmail.read) }
  },
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
    const { staged, refusals } = await intake.StageBatch({
      caller: readCaller(request.caller),
      staged: request.staged ?? null,
      mails: request.mails.map(readBatchMail),
      requestId: request.request_id,
    })
    return { staged, refusals: refusals.map((refusal) => ({ ...refusal, problems: [...refusal.problems] })) }
  },
  SubmitBatch: async (request) =>
    submitReplyMessage(
      await intake.SubmitBatch({
        caller: readCaller(request.caller),
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
  Check: (request) => intake.Check({ caller: readCaller(request.caller), ...readParts(request) }),
  ListEmails: (request, signal) => intake.ListEmails(emailQuery.read(request), signal),
  ListEvents: async (request, signal) => eventsMessage(await intake.ListEvents(request, signal)),
  RescheduleEmail: ({ reader, id, ...time }) =>
    intake.RescheduleEmail({ reader, id, sendAt: given(readTime(time), 'scheduled_at') }),
  MoveTestClock: ({ caller, ...request }) => intake.MoveTestClock({ ...request, caller: readCaller(caller) }),
  Validate: ({ caller: asked, mail, parts }) => {
    const caller = readCaller(asked)
    return mail
      ? intake.Validate({ caller, mail: readMail(mail) })
      : intake.Validate({ caller, parts: readParts(given(parts, 'parts')) })
  },
  GetContent: async (request) => content.write(await intake.GetContent(request)),
  ListCaptured: async (request, signal) => {
    const { captured: mails, ...page } = await intake.ListCaptured(request, signal)
    return { ...page, captured: mails.map(captured.write) }
  },
  GetCaptured: async (request) => capturedMessage(await intake.GetCaptured(request)),
  GetRetention: async (request) => retentionMessage(await intake.GetRetention(request)),
  CreateErasure: async (request) => erasure.write(await intake.CreateErasure(request)),
  GetErasure: async (request) => erasure.write(await intake.GetErasure(request)),
  GetQueues: async (request) => queuesMessage(await intake.GetQueues(request)),
  ListParked: async (request) => {
    const { emails, ...page } = await intake.ListParked(request)
    return { ...page, emails: emails.map(parkedEmail.write) }
  },
  ReleaseParked: async (request) => parkedEmail.write(await intake.ReleaseParked(request)),
  DropParked: async (request) => parkedEmail.write(await intake.DropParked(request)),
})

const emailQuery = codec(intakeTimes.emailQuery)
const content = codec(intakeTimes.content)
const captured = codec(intakeTimes.captured)
const retentionClass = codec(intakeTimes.retentionClass)
const erasure = codec(intakeTimes.erasure)
const queueLane = codec(intakeTimes.queueLane)
const queueDestination = codec(intakeTimes.queueDestination)
const parkedEmail = codec(intakeTimes.parkedEmail)

const capturedMessage = ({ captured: mail, ...reply }: CapturedReply): CapturedReplyMessage => ({
  ...reply,
  captured: captured.write(mail),
})

const readCaptured = ({ captured: mail, ...reply }: CapturedReplyMessage): CapturedReply => ({
  ...reply,
  captured: captured.read(given(mail, 'captured')),
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

const eventsMessage = ({ arrived, ...page }: EventsPage): EventsMessage => ({
  ...page,
  events_at: arrived.map(({ at }) => at),
  event_ids: arrived.map(({ id }) => id),
  event_types: arrived.map(({ type }) => type),
})

const readEvents = ({ events_at, event_ids, event_types, ...page }: EventsMessage): EventsPage => ({
  ...page,
  arrived: events_at.map((at, index) => {
    const [id, type] = [event_ids[index], event_types[index]]
    const named = id === undefined || type === undefined ? idAndType(page.events_json[index]) : { id, type }
    return { ...named, at } as EventsPage['arrived'][number]
  }),
})

/** Intake of an earlier release names the events in their JSON only. */
const idAndType = (eventJson = '{}'): { id: string; type: string } => {
  const { id, type } = JSON.parse(eventJson)
  return { id, type }
}
