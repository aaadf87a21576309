import type { Email } from '@postrider/domain/email/email.ts'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { FindCursor } from 'mongodb'
import type { EmailDoc } from './document.ts'

/**
 * Emails of one batch of a cursor. The server would fill a batch with up to 16 MiB of records, which the driver
 * receives in one buffer.
 */
export const batchEmails = 16

/** Characters of records that are parsed before a pause: about 1 ms. */
const sliceCharacters = 32 * 1024

/**
 * Reads emails in batches, and parses them with pauses: a record of an email with many recipients and attempts has
 * hundreds of kilobytes.
 * @param owner the runner of the workspace's jobs
 */
export async function* pacedEmails(
  cursor: FindCursor<Pick<EmailDoc, '_id' | 'doc'>>,
  owner: Slices,
): AsyncGenerator<Email, void, undefined> {
  let characters = 0
  // A cursor of `batchEmails` documents then ends with its first batch.
  for await (const { doc } of cursor.batchSize(batchEmails + 1)) {
    characters += doc.length
    if (characters > sliceCharacters) {
      await nextSlice(owner)
      characters = doc.length
    }
    yield JSON.parse(doc) as Email
  }
}
