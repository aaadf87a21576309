import { maxAttachments } from '@postrider/contracts/http/content.ts'
import { decodedText } from '@postrider/contracts/http/decodedText.ts'
import { isObject } from '@postrider/contracts/http/schema.ts'
import { base64Steps } from '@postrider/mail/base64.ts'
import type { Steps } from '@postrider/mail/steps.ts'

/** Maximum length of a content that the schema decodes itself, in one step. */
const decodedBySchema = 65_536

/** Returns a body whose long contents of attachments are decoded. */
export function* decodeContents(raw: Record<string, unknown>): Steps<Record<string, unknown>> {
  const given = raw['attachments']
  if (!Array.isArray(given) || given.length > maxAttachments) return raw
  const attachments: unknown[] = []
  for (const attachment of given) attachments.push(yield* decodeContent(attachment))
  return attachments.every((attachment, index) => attachment === given[index]) ? raw : { ...raw, attachments }
}

function* decodeContent(attachment: unknown): Steps<unknown> {
  const text: unknown = isObject(attachment) ? attachment['content'] : null
  if (typeof text !== 'string' || text.length <= decodedBySchema) return attachment
  return { ...(attachment as object), content: decodedText(text, yield* base64Steps(text)) }
}
