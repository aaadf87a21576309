import type { Captured__Output as CapturedMessage } from '@postrider/contracts/gen/postrider/intake/v1/Captured.ts'
import type { CapturedReply__Output as CapturedReplyMessage } from '@postrider/contracts/gen/postrider/intake/v1/CapturedReply.ts'
import type { GetCapturedRequest__Output as GetCapturedMessage } from '@postrider/contracts/gen/postrider/intake/v1/GetCapturedRequest.ts'
import type { ListCapturedReply__Output as CapturedPageMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListCapturedReply.ts'
import type { ListCapturedRequest__Output as ListCapturedMessage } from '@postrider/contracts/gen/postrider/intake/v1/ListCapturedRequest.ts'
import type {
  Captured,
  CapturedOf,
  CapturedPage,
  CapturedReply,
  GetCapturedRequest,
  ListCapturedRequest,
} from '@postrider/contracts/services.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import { textOrNull } from './callers.ts'
import { attachmentMessage, readAttachment } from './intakeReads.ts'
import { recordCodec } from './times.ts'

/* Conversion of the mailbox with captured mail, to the messages of intake and back. */

const capturedTimes = recordCodec({ always: ['at'] })

const workspaceText = (of: CapturedOf): string => (of === 'every_workspace' ? '' : of.workspace)

const readCapturedOf = (workspace: string): CapturedOf => (workspace === '' ? 'every_workspace' : { workspace })

export const listCapturedMessage = ({ of, before, ...request }: ListCapturedRequest): ListCapturedMessage => ({
  ...request,
  workspace: workspaceText(of),
  before: before ?? '',
})

export const readListCaptured = ({ workspace, before, ...request }: ListCapturedMessage): ListCapturedRequest => ({
  ...request,
  of: readCapturedOf(workspace),
  before: textOrNull(before),
})

export const getCapturedMessage = ({ of, inlineImages, ...request }: GetCapturedRequest): GetCapturedMessage => ({
  ...request,
  workspace: workspaceText(of),
  ...(inlineImages !== undefined && { inline_images: inlineImages }),
})

export const readGetCaptured = ({ workspace, inline_images, ...request }: GetCapturedMessage): GetCapturedRequest => ({
  ...request,
  of: readCapturedOf(workspace),
  ...(inline_images !== undefined && { inlineImages: inline_images }),
})

const capturedMessage = ({ emailId, ...mail }: Captured): CapturedMessage => ({
  ...mail,
  email_id: emailId,
  ...capturedTimes.write(mail),
})

const readCaptured = ({ email_id, mode, ...mail }: CapturedMessage): Captured => ({
  ...mail,
  emailId: email_id,
  mode: mode === 'test' ? 'test' : 'live',
  ...capturedTimes.read(mail),
})

export const capturedPageMessage = ({ captured, end }: CapturedPage): CapturedPageMessage => ({
  captured: captured.map(capturedMessage),
  ...(end && { has_more: end.hasMore, last_id: end.lastId ?? '' }),
})

export const readCapturedPage = ({ captured, has_more, last_id }: CapturedPageMessage): CapturedPage => ({
  captured: captured.map(readCaptured),
  ...(has_more !== undefined && { end: { hasMore: has_more, lastId: textOrNull(last_id ?? '') } }),
})

export const capturedReplyMessage = ({
  captured,
  raw,
  html,
  text,
  attachments,
}: CapturedReply): CapturedReplyMessage => ({
  captured: capturedMessage(captured),
  raw,
  html: html ?? '',
  text: text ?? '',
  attachments: attachments.map(attachmentMessage),
})

export const readCapturedReply = ({ captured, raw, html, text, attachments }: CapturedReplyMessage): CapturedReply => ({
  captured: readCaptured(requirePart(captured, 'captured')),
  raw,
  html: textOrNull(html),
  text: textOrNull(text),
  attachments: attachments.map(readAttachment),
})
