import type { Mode, Resolution } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import type { SendTime } from '@postrider/domain/email/sendTime.ts'
import type { ArrivalPosition } from '@postrider/domain/events/arrival.ts'
import type { EventType, FeedPosition, PublicEvent } from '@postrider/domain/events/event.ts'
import type { Dimension } from '@postrider/domain/stats/bucket.ts'
import type { BucketSize } from '@postrider/domain/stats/range.ts'

/* Reads of accepted mail by its readers, and their decisions about it. */

/** Caller of a read, with the mail that it may see. */
export type Reader = {
  workspace: string
  /** Null: mail of both modes. */
  mode: Mode | null
  /** The key that sent the mail; null: any sender. */
  sentBy: string | null
  /** Id of a key or a user, for the audit log. */
  actor: string
  /** For the audit log; absent: the request changes nothing. */
  clientAddress?: string
  /** Id of the user who acts as the operator; absent: none does. */
  operator?: string
  /** Addresses and domains that the key may send to; none: all. A change of mail that it may not send is refused. */
  recipients: string[]
  /** Domains that the key may send from; none: all. */
  domains: string[]
}

export type EmailRequest = { reader: Reader; id: string }

/** `inlineImages`: whether the reply has the content of images that the HTML part shows. Default: false. */
export type ContentRequest = EmailRequest & { inlineImages?: boolean }

/** `size` null: the file was removed. `content` absent: the request did not include it. */
export type ContentAttachment = {
  filename: string
  contentType: string
  /** Null: the file is not inline. */
  contentId: string | null
  size: number | null
  content?: Buffer
}

/** Part that was rendered for an email; null: the message has no such part. */
export type ContentReply = {
  subject: string
  html: string | null
  text: string | null
  headers: Record<string, string>
  attachments: ContentAttachment[]
  /** Null: they are stored. */
  attachmentsRemovedAt: number | null
}

/** The decision of a person about recipients in doubt. */
export type ResolveRequest = EmailRequest & { as: Resolution }

/** The new time of an email. */
export type RescheduleRequest = EmailRequest & { sendAt: SendTime }

/** A page of mail, newest first, and what it is limited to. */
export type ListEmailsRequest = { reader: Reader } & Omit<EmailQuery, 'workspace' | 'mode' | 'keyId' | 'now'>

/** Emails as the JSON of the API. `lastId` null: there is none. */
export type EmailsPage = { recordsJson: string[]; lastId: string | null; hasMore: boolean }

/** A page of the feed of a workspace. */
export type ListEventsRequest = {
  reader: Pick<Reader, 'workspace' | 'mode'>
  /** Null: all. */
  types: readonly EventType[] | null
  order: 'asc' | 'desc' | 'arrival'
  /** The page begins after this position in its order; null: with the oldest or newest event. */
  after: FeedPosition | null
  /** With the order of arrival: where the reader is; null: it is new. */
  arrival: ArrivalPosition | null
  limit: number
}

/** A page of events as the JSON of the API. `arrived`, with the order of arrival only: which events they are. */
export type EventsPage = {
  eventsJson: string[]
  /** Where the next page begins. */
  position: FeedPosition
  hasMore: boolean
  /** With the order of arrival: where the next page begins; null: another order. */
  arrival: ArrivalPosition | null
  arrived: Pick<PublicEvent, 'type' | 'id' | 'at'>[]
}

/** A range of statistics; null: intake chooses it. */
export type StatsRequest = {
  reader: Reader
  from: number | null
  to: number | null
  bucket: BucketSize | null
  by: Dimension
}

/** Owner of captured mail that is read. */
export type CapturedOf = { workspace: string } | 'every_workspace'

/** `before`: the page begins after this id; null: with the newest. `query`: a part of the subject or of an address. */
export type ListCapturedRequest = { of: CapturedOf; before: string | null; limit: number; query?: string }

/** `attachment`: number of the file whose content the reply has. */
export type GetCapturedRequest = { of: CapturedOf; id: string; inlineImages?: boolean; attachment?: number }

/** A message that was captured instead of sent, with its envelope. */
export type Captured = {
  id: string
  emailId: string
  workspace: string
  mode: Mode
  at: number
  from: string
  to: string[]
  subject: string
}

/**
 * `end`: of a search, which reads a bounded number of messages: the last one it read, and whether older ones follow.
 */
export type CapturedPage = { captured: Captured[]; end?: { lastId: string | null; hasMore: boolean } }

export type CapturedReply = Pick<ContentReply, 'html' | 'text' | 'attachments'> & { captured: Captured; raw: Buffer }
