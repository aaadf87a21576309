import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { gather } from '@postrider/kit/gather.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Collection, Db } from 'mongodb'
import { reach } from '../client/connect.ts'
import { isTaken } from '../client/mongoError.ts'
import { insertedOf, unorderedBulk } from '../client/unorderedBulk.ts'
import { roughBytes } from './contentPieces.ts'
import { type Contents, emailContents } from './contents.ts'
import { type EmailDoc, emailDoc, voidDoc } from './doc.ts'
import { gathered } from './gathered.ts'

type New = { email: Email; content: Content }
type Outcome = Awaited<ReturnType<EmailStore['insert']>>
/** An email ready to be inserted; or what is known without that. */
type Placed = { doc: EmailDoc } | { outcome: Outcome | Error }
type Kept = { emails: Collection<EmailDoc>; contents: Contents }

/** A larger content travels alone, so that it holds no small ones up. */
const gatheredBytes = 256 * 1024

/** New emails, and their contents. */
export const emailInserts = (db: Db): Pick<EmailStore, 'insert' | 'tombstone' | 'content'> => {
  const kept: Kept = { emails: db.collection('emails'), contents: emailContents(db) }
  const run = (batch: readonly New[]) => reach(() => insertAll(kept, batch))
  const insert = gather<New, Outcome>({ ...gathered, run })
  const insertAlone = gather<New, Outcome>({ most: 1, atOnce: Number.POSITIVE_INFINITY, run })
  const placeOf = async (id: string): Promise<string> => {
    const found = await kept.emails.findOne({ _id: id }, { projection: { content: 1 } })
    return found?.content ?? id
  }
  return {
    insert: (email, content) => (roughBytes(content) > gatheredBytes ? insertAlone : insert)({ email, content }),
    tombstone: (id) => tombstone(kept, id),
    content: gather<string, Content | null>({
      ...gathered,
      run: (ids) => reach(() => kept.contents.get(ids, placeOf)),
    }),
  }
}

/** The contents first, so that no record is without one. */
const insertAll = async (kept: Kept, batch: readonly New[]): Promise<(Outcome | Error)[]> => {
  const put = await kept.contents.put(batch.map(({ email, content }) => ({ id: email.id, content })))
  const placed = await Promise.all(batch.map((one, index) => place(kept, one, put[index] ?? false)))
  const docs = placed.flatMap((one) => ('doc' in one ? [one.doc] : []))
  const inserted = new Map<EmailDoc, boolean | Error>()
  if (docs.length > 0) {
    const outcome = await unorderedBulk(() => kept.emails.insertMany(docs, { ordered: false }))
    for (const [index, is] of insertedOf(outcome, docs.length).entries()) inserted.set(docs[index] as EmailDoc, is)
  }
  return Promise.all(
    placed.map(async (one) => {
      if ('outcome' in one) return one.outcome
      const is = inserted.get(one.doc)
      return is === true ? 'inserted' : is instanceof Error ? is : refused(kept, one.doc)
    }),
  )
}

const place = async ({ emails, contents }: Kept, one: New, put: boolean | Error): Promise<Placed> => {
  if (put instanceof Error) return { outcome: put }
  const { email, content } = one
  const doc = emailDoc(email, nextDueOf(email))
  if (put) return { doc }
  // Some try put a content there. Either its record came too, or it died in between, or it is under way right now.
  const outcome = await standing(emails, email.id)
  return outcome ? { outcome } : { doc: { ...doc, content: await contents.putAside(email.id, content) } }
}

/** What the id is already, and no content is left that no record will ever name. */
const refused = async ({ emails, contents }: Kept, { _id, content }: EmailDoc): Promise<Outcome> => {
  const outcome = (await standing(emails, _id)) ?? 'exists'
  if (outcome === 'void') await contents.remove(_id)
  else if (content !== undefined) await contents.remove(content)
  return outcome
}

const standing = async (emails: Collection<EmailDoc>, id: string): Promise<'exists' | 'void' | null> => {
  const found = await emails.findOne({ _id: id }, { projection: { workspace: 1 } })
  return found && (found.workspace === '' ? 'void' : 'exists')
}

const tombstone = async ({ emails, contents }: Kept, id: string): Promise<boolean> => {
  try {
    await emails.insertOne(voidDoc(id))
  } catch (thrown) {
    if (isTaken(thrown)) return (await standing(emails, id)) === 'void'
    throw thrown
  }
  await contents.remove(id)
  return true
}
