import type { Arrival__Output as ArrivalMessage } from '@postrider/contracts/gen/postrider/intake/v1/Arrival.ts'
import type { ContentAttachment__Output as AttachmentMessage } from '@postrider/contracts/gen/postrider/intake/v1/ContentAttachment.ts'
import type { ContentReply__Output as ContentMessage } from '@postrider/contracts/gen/postrider/intake/v1/ContentReply.ts'
import type { EmailRequest__Output as EmailMessage } from '@postrider/contracts/gen/postrider/intake/v1/EmailRequest.ts'
import type { ListEmailsReply__Output as EmailsPageMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListEmailsReply.ts'
import type { ListEmailsRequest__Output as ListEmailsMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListEmailsRequest.ts'
import type { ListEventsReply__Output as EventsMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListEventsReply.ts'
import type { ListEventsRequest__Output as ListEventsMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListEventsRequest.ts'
import type { Reader__Output as ReaderMessage } from '@postrider/contracts/gen/postrider/intake/v1/Reader.ts'
import type { StatsRequest__Output as StatsMessage } from '@postrider/contracts/gen/postrider/intake/v1/StatsRequest.ts'
import type {
  ContentAttachment,
  ContentReply,
  ContentRequest,
  EmailRequest,
  EmailsPage,
  EventsPage,
  ListEmailsRequest,
  ListEventsRequest,
  Reader,
  ResolveRequest,
  StatsRequest,
} from '@postrider/contracts/services.ts'
import { type Mode, type Resolution, resolutions } from '@postrider/domain/email/email.ts'
import type { EmailStatus } from '@postrider/domain/email/status.ts'
import { parseTag, tagText } from '@postrider/domain/email/tag.ts'
import type { ArrivalPosition } from '@postrider/domain/events/arrival.ts'
import { isEventType } from '@postrider/domain/events/event.ts'
import { dimensions } from '@postrider/domain/stats/bucket.ts'
import { bucketSizes } from '@postrider/domain/stats/range.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import { textOrNull } from './callers.ts'
import { recordCodec } from './times.ts'

/* Conversion of what is read of mail, to the messages of intake and back. */

const contentTimes = recordCodec({ absent: ['attachments_removed_at'] })
const queryTimes = recordCodec({ absent: ['created_after', 'created_before'] })

/** A mode that is unknown to this release matches nothing. */
const readMode = (text: string): Mode | null => textOrNull(text) as Mode | null

export const readerMessage = ({
  workspace,
  mode,
  sentBy = null,
  actor = '',
  clientAddress,
  operator,
  recipients = [],
  domains = [],
}: Pick<Reader, 'workspace' | 'mode'> & Partial<Reader>): ReaderMessage => ({
  workspace,
  mode: mode ?? '',
  sent_by: sentBy ?? '',
  actor,
  ...(clientAddress !== undefined && { client_address: clientAddress }),
  ...(operator !== undefined && { operator }),
  recipients,
  domains,
})

const readReader = (message: ReaderMessage | null): Reader => {
  const { workspace, mode, sent_by, actor, client_address, operator, recipients, domains } = requirePart(
    message,
    'reader',
  )
  return {
    workspace,
    mode: readMode(mode),
    sentBy: textOrNull(sent_by),
    actor,
    ...(client_address !== undefined && { clientAddress: client_address }),
    ...(operator !== undefined && { operator }),
    recipients,
    domains,
  }
}

export const emailMessage = ({ reader, id }: EmailRequest): EmailMessage => ({ reader: readerMessage(reader), id })

export const readEmail = ({ reader, id }: Pick<EmailMessage, 'reader' | 'id'>): EmailRequest => ({
  reader: readReader(reader),
  id,
})

export const contentRequestMessage = ({ inlineImages, ...request }: ContentRequest): EmailMessage => ({
  ...emailMessage(request),
  ...(inlineImages !== undefined && { inline_images: inlineImages }),
})

export const readContentRequest = ({ inline_images, ...request }: EmailMessage): ContentRequest => ({
  ...readEmail(request),
  ...(inline_images !== undefined && { inlineImages: inline_images }),
})

/** The gateway checks a decision, so only a bug sends another text. */
export const readResolve = ({ as, ...request }: EmailMessage & { as: string }): ResolveRequest => {
  const isResolution = (text: string): text is Resolution => (resolutions as readonly string[]).includes(text)
  if (!isResolution(as)) throw new Error(`${as} is no decision`)
  return { ...readEmail(request), as }
}

export const attachmentMessage = ({
  contentType,
  contentId,
  size,
  content,
  filename,
}: ContentAttachment): AttachmentMessage => ({
  filename,
  content_type: contentType,
  content_id: contentId ?? '',
  ...(size !== null && { size }),
  ...(content !== undefined && { content }),
})

export const readAttachment = ({
  filename,
  content_type,
  content_id,
  size,
  content,
}: AttachmentMessage): ContentAttachment => ({
  filename,
  contentType: content_type,
  contentId: textOrNull(content_id),
  size: size ?? null,
  ...(content !== undefined && { content }),
})

export const contentMessage = ({
  html,
  text,
  attachments,
  attachmentsRemovedAt,
  ...reply
}: ContentReply): ContentMessage => ({
  ...reply,
  ...(html !== null && { html }),
  ...(text !== null && { text }),
  attachments: attachments.map(attachmentMessage),
  ...contentTimes.write({ attachmentsRemovedAt }),
})

export const readContent = ({
  html,
  text,
  attachments,
  attachments_removed_at,
  ...reply
}: ContentMessage): ContentReply => ({
  ...reply,
  html: html ?? null,
  text: text ?? null,
  attachments: attachments.map(readAttachment),
  ...contentTimes.read({ attachments_removed_at }),
})

export const listEmailsMessage = (query: ListEmailsRequest): ListEmailsMessage => ({
  reader: readerMessage(query.reader),
  limit: query.limit,
  before: query.before ?? '',
  ...(query.status !== null && { status: query.status }),
  ...(query.to !== null && { to: query.to }),
  ...(query.from !== null && { from: query.from }),
  ...(query.subject !== null && { subject: query.subject }),
  ...(query.templateId !== null && { template_id: query.templateId }),
  ...(query.tag !== null && { tag: tagText(query.tag) }),
  ...(query.category !== null && { category: query.category }),
  ...queryTimes.write(query),
})

/** A status that is unknown to this release matches nothing. */
export const readListEmails = (message: ListEmailsMessage): ListEmailsRequest => ({
  reader: readReader(message.reader),
  limit: message.limit,
  before: textOrNull(message.before),
  status: (message.status as EmailStatus | undefined) ?? null,
  to: message.to ?? null,
  from: message.from ?? null,
  subject: message.subject ?? null,
  templateId: message.template_id ?? null,
  tag: message.tag === undefined ? null : parseTag(message.tag),
  category: message.category === 'marketing' || message.category === 'transactional' ? message.category : null,
  ...queryTimes.read(message),
})

export const emailsPageMessage = ({ recordsJson, lastId, hasMore }: EmailsPage): EmailsPageMessage => ({
  records_json: recordsJson,
  last_id: lastId ?? '',
  has_more: hasMore,
})

export const readEmailsPage = ({ records_json, last_id, has_more }: EmailsPageMessage): EmailsPage => ({
  recordsJson: records_json,
  lastId: textOrNull(last_id),
  hasMore: has_more,
})

export const listEventsMessage = (query: ListEventsRequest): ListEventsMessage => ({
  reader: readerMessage(query.reader),
  types: [...(query.types ?? [])],
  order: query.order,
  ...(query.after !== null && { after_at: query.after.at }),
  after_id: query.after?.id ?? '',
  limit: query.limit,
  arrival: query.arrival && arrivalMessage(query.arrival),
})

/** Types that are unknown to this release match nothing. */
export const readListEvents = (message: ListEventsMessage): ListEventsRequest => ({
  reader: readReader(message.reader),
  types: message.types.length === 0 ? null : message.types.filter(isEventType),
  order: message.order === 'asc' || message.order === 'arrival' ? message.order : 'desc',
  after: message.after_at === undefined ? null : { at: message.after_at, id: message.after_id },
  arrival: message.arrival && readArrival(message.arrival),
  limit: message.limit,
})

const arrivalMessage = ({ complete, seen, digest }: ArrivalPosition): ArrivalMessage => ({
  settled_at: complete.at,
  settled_id: complete.id,
  seen_at: seen.at,
  seen_id: seen.id,
  digest,
})

const readArrival = ({ settled_at, settled_id, seen_at, seen_id, digest }: ArrivalMessage): ArrivalPosition => ({
  complete: { at: settled_at, id: settled_id },
  seen: { at: seen_at, id: seen_id },
  digest,
})

export const eventsMessage = ({ eventsJson, position, hasMore, arrival, arrived }: EventsPage): EventsMessage => ({
  events_json: eventsJson,
  position_at: position.at,
  position_id: position.id,
  has_more: hasMore,
  arrival: arrival && arrivalMessage(arrival),
  events_at: arrived.map(({ at }) => at),
  event_ids: arrived.map(({ id }) => id),
  event_types: arrived.map(({ type }) => type),
})

export const readEvents = (message: EventsMessage): EventsPage => ({
  eventsJson: message.events_json,
  position: { at: message.position_at, id: message.position_id },
  hasMore: message.has_more,
  arrival: message.arrival && readArrival(message.arrival),
  arrived: message.events_at.map((at, index) => {
    const [id, type] = [message.event_ids[index], message.event_types[index]]
    const named = id === undefined || type === undefined ? idAndType(message.events_json[index]) : { id, type }
    return { ...named, at } as EventsPage['arrived'][number]
  }),
})

/** Intake of an earlier release names the events in their JSON only. */
const idAndType = (eventJson = '{}'): { id: string; type: string } => {
  const { id, type } = JSON.parse(eventJson)
  return { id, type }
}

export const statsMessage = ({ reader, from, to, bucket, by }: StatsRequest): StatsMessage => ({
  reader: readerMessage(reader),
  ...(from !== null && { from }),
  ...(to !== null && { to }),
  bucket: bucket ?? '',
  by,
})

export const readStats = ({ reader, from, to, bucket, by }: StatsMessage): StatsRequest => ({
  reader: readReader(reader),
  from: from ?? null,
  to: to ?? null,
  bucket: bucketSizes.find((size) => size === bucket) ?? null,
  by: dimensions.find((one) => one === by) ?? 'status',
})
