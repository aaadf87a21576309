import type { ExpectedUser, UserStore } from '@postrider/ports/users.ts'
import type { Db, Filter } from 'mongodb'
import { mongoOutbox, notRemoved } from '../audit/outbox.ts'
import { isDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { accountCollections, sessionOf, type UserDoc, userOf, withoutEnded } from './documents.ts'

const filterOf = (id: string, { email, passwordHash, totp }: ExpectedUser): Filter<UserDoc> => ({
  _id: scalar(id),
  ...notRemoved,
  ...(email !== undefined && { email: scalar(email) }),
  ...(passwordHash !== undefined && { passwordHash: scalar(passwordHash) }),
  // Null matches an absent field too, as documents of an earlier release have it.
  ...(totp !== undefined && (totp === null ? { totp: null } : { 'totp.sealed': scalar(totp) })),
})

/** Changes of a person's own account on MongoDB: each is one conditional update of the user's document. */
export const mongoUsers = (db: Db): UserStore => {
  const { users, sessions } = accountCollections(db)
  const outbox = mongoOutbox(db)
  const bare = { projection: { _id: 1 } }
  const ended = async (user: string) =>
    withoutEnded((await users.findOne({ _id: scalar(user) }, { projection: { endedSessions: 1 } })) ?? {})
  return withMappedErrors<UserStore>({
    user: async (id) => {
      const found = await users.findOne({ _id: scalar(id), ...notRemoved })
      return found && userOf(found)
    },
    changeUser: async (id, change, expected, audit) => {
      try {
        const changed = await outbox.update(users, filterOf(id, expected), { $set: change }, [audit], bare)
        return changed === null ? 'lost' : 'changed'
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return 'taken'
        throw thrown
      }
    },
    useTotpStep: async (id, step) => {
      const unused = { _id: scalar(id), 'totp.lastStep': { $lt: step } }
      return (await users.updateOne(unused, { $set: { 'totp.lastStep': step } })).matchedCount === 1
    },
    useRecoveryCode: async (id, hash, audit) => {
      const unused = { _id: scalar(id), 'totp.recovery': scalar(hash) }
      return (await outbox.update(users, unused, { $pull: { 'totp.recovery': hash } }, [audit], bare)) !== null
    },
    totpUsers: async (after, limit) => {
      const found = users.find({ _id: { $gt: scalar(after) }, 'totp.sealed': { $gt: '' } })
      return (await found.sort({ _id: 1 }).limit(limit).toArray()).map(userOf)
    },
    resealTotp: async (id, from, to) => {
      await users.updateOne({ _id: scalar(id), 'totp.sealed': scalar(from) }, { $set: { 'totp.sealed': to } })
    },
    sessionsOf: async (user, seenAfter, limit) => {
      const valid = { user: scalar(user), ...notRemoved, seenAt: { $gt: seenAfter } }
      const found = sessions.find({ $and: [valid, await ended(user)] })
      return (await found.sort({ seenAt: -1 }).limit(limit).toArray()).map(sessionOf)
    },
    deleteSessionsOf: async (user, except, audit) => {
      const others = { user: scalar(user), ...notRemoved, ...(except && { _id: { $ne: scalar(except) } }) }
      if ((await sessions.countDocuments({ $and: [others, await ended(user)] }, { limit: 1 })) === 0) return 0
      // This write ends them and stores the audit entry: a session that a crash leaves does not count any more.
      const endedSessions = { at: audit.at, except }
      await outbox.update(users, { _id: scalar(user) }, { $set: { endedSessions } }, [audit], bare)
      for await (const left of sessions.find({ ...others, 'outbox.0': { $exists: true } }))
        await outbox.move(sessions, left)
      return (await sessions.deleteMany(others)).deletedCount
    },
  })
}
