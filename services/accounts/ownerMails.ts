import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { Fault, type FaultCode } from '@postrider/kit/fault.ts'
import type { AccountStore, User } from '@postrider/ports/accounts.ts'
import type { SystemMail } from '@postrider/ports/systemMail.ts'

/**
 * Codes of an email that needs no other try: its address is refused, or the same mail was accepted with another text,
 * because a name has changed since.
 */
const finalCodes: readonly FaultCode[] = ['validation_failed', 'idempotency_mismatch']

/** Returns the owners of a workspace. */
export const ownersOf = async (
  accounts: Pick<AccountStore, 'people' | 'users'>,
  workspace: string,
): Promise<readonly User[]> => {
  const members = (await accounts.people(workspace))?.members ?? []
  return accounts.users(members.filter(({ role }) => role === 'owner').map(({ user }) => user))
}

export type MailEachOptions<Person> = {
  mail: SystemMail
  compose(person: Person): SystemMessage
  /** Called with a refusal that a repetition would meet again; the others still get their emails. */
  onRefused(err: Fault): void
}

/**
 * Emails each person.
 * @returns how many emails were accepted
 * @throws any other error of an email, so that the caller repeats all of them
 */
export const mailEach = async <Person>(
  people: readonly Person[],
  { mail, compose, onRefused }: MailEachOptions<Person>,
): Promise<number> => {
  let sent = 0
  for (const person of people) {
    try {
      await mail.send(compose(person))
      sent += 1
    } catch (err) {
      if (!(err instanceof Fault && finalCodes.includes(err.code))) throw err
      onRefused(err)
    }
  }
  return sent
}

export type MailOwnersOptions = MailEachOptions<{ to: string; owner: string; workspaceName: string }> & {
  accounts: Pick<AccountStore, 'people' | 'users' | 'workspace'>
}

/** Emails every owner of a workspace, as `mailEach` does. */
export const mailOwners = async (workspace: string, { accounts, ...mailing }: MailOwnersOptions): Promise<void> => {
  const workspaceName = (await accounts.workspace(workspace))?.name ?? ''
  const owners = await ownersOf(accounts, workspace)
  await mailEach(
    owners.map(({ id: owner, email: to }) => ({ to, owner, workspaceName })),
    mailing,
  )
}
