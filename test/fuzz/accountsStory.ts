import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { fresh, password } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { tokenFor } from '../support/people.ts'
import type { SessionRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import type { Perform } from './story.ts'
import { type Credentials, credentialsOf, fromElsewhere, type World } from './world.ts'

/* The part of the story about accounts: its people lose their sessions, passwords and workspaces. */

type Person = { email: string; id: string; workspace: string; by: Credentials }

type Story = { perform: Perform; world: World }

const next = 'another horse battery staple'

const personOf = ({ world }: Story, email: string, response: HttpResponse<SessionRecord>): Person => {
  const { user, workspace } = response.body
  return { email, id: user.id, workspace: workspace.id, by: credentialsOf(world.system.client.session(response)) }
}

const join = async (story: Story): Promise<Person> => {
  const email = fresh('story')
  const json = { email, password, workspace_name: 'Story' }
  return personOf(
    story,
    email,
    await story.perform<SessionRecord>('signUp', { by: {}, json, headers: fromElsewhere() }),
  )
}

const logIn = async (story: Story, email: string): Promise<Person> => {
  const json = { email, password }
  return personOf(story, email, await story.perform<SessionRecord>('logIn', { by: {}, json, headers: fromElsewhere() }))
}

/** Returns the token of the link in an email. */
const tokenIn = async ({ world }: Story, address: string, subject: string): Promise<string> => {
  const { receiver } = world.system
  const { mail } = await until(`the mail "${subject}"`, () =>
    receiver.to(address).find((one) => one.mail.subject === subject),
  )
  return /token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? assert.fail(mail.text)
}

/** Makes a member of a person's workspace. */
const invited = async (story: Story, { by }: Person): Promise<Person> => {
  const email = fresh('story')
  await story.perform('createInvitation', { by, json: { email, role: 'admin' } })
  const token = await tokenFor(story.world.system, email)
  return personOf(
    story,
    email,
    await story.perform<SessionRecord>('acceptInvitation', { by: {}, json: { token, password } }),
  )
}

const ownAccount = async (story: Story): Promise<void> => {
  const { perform } = story
  const { email, by } = await join(story)
  await perform('confirmEmail', { by: {}, json: { token: await tokenIn(story, email, 'Confirm your email address') } })
  await logIn(story, email)
  const { data } = (await perform<{ data: { id: string; current: boolean }[] }>('listSessions', { by })).body
  const others = data.filter(({ current }) => !current)
  await perform('revokeSession', { by, ids: { id: others[0]?.id ?? '' } })
  await perform('revokeOtherSessions', { by })
  await perform('changeEmail', { by, json: { email: fresh('story'), password } })
  const changed = await perform<SessionRecord>('changePassword', { by, json: { current: password, password: next } })
  const { by: again } = personOf(story, email, changed)
  await perform('requestPasswordReset', { by: {}, json: { email } })
  const token = await tokenIn(story, email, 'Set a new password')
  await perform('resetPassword', { by: {}, json: { token, password } })
  assert.notDeepEqual(again, by)
  await perform('logOut', { by: (await logIn(story, email)).by })
}

/** Switches two-factor authentication on. Returns the person with the renewed session, and a recovery code. */
const secured = async (story: Story, { email, by }: Person): Promise<{ person: Person; recovery: string }> => {
  const { perform } = story
  const { secret } = (await perform<{ secret: string }>('startTotp', { by })).body
  const code = new TOTP({ secret }).generate()
  const enabled = await perform<SessionRecord & { recovery_codes: string[] }>('confirmTotp', { by, json: { code } })
  return { person: personOf(story, email, enabled), recovery: enabled.body.recovery_codes[0] ?? '' }
}

const secondFactor = async (story: Story): Promise<void> => {
  const { perform } = story
  const joined = await join(story)
  await perform('resendConfirmation', { by: joined.by })
  const { person, recovery } = await secured(story, joined)
  await perform('disableTotp', { by: person.by, json: { code: recovery } })
}

const members = async (story: Story): Promise<void> => {
  const { perform } = story
  const owner = await join(story)
  const { by } = owner
  const [member, leaver, removed] = [
    await invited(story, owner),
    await invited(story, owner),
    await invited(story, owner),
  ]
  await perform('listMembers', { by })
  await perform('updateMember', { by, ids: { user_id: removed.id }, json: { role: 'viewer' } })
  await perform('removeMember', { by, ids: { user_id: removed.id } })
  await perform('leaveWorkspace', { by: leaver.by, ids: { id: owner.workspace } })
  const { id } = (await perform('createInvitation', { by, json: { email: fresh('story'), role: 'member' } })).body
  await perform('listInvitations', { by })
  await perform('resendInvitation', { by, ids: { id } })
  await perform('revokeInvitation', { by, ids: { id } })
  await perform('transferOwnership', { by, ids: { user_id: member.id } })
  const labs = (await perform('createWorkspace', { by, json: { name: 'Labs' }, headers: fromElsewhere() })).body
  await perform('switchWorkspace', { by, json: { workspace: labs.id } })
  await perform('deleteOwnWorkspace', { by: (await join(story)).by, json: { password } })
}

const operator = async (story: Story): Promise<void> => {
  const { perform, world } = story
  const person = await join(story)
  const by = world.operator
  const ids = { id: person.workspace }
  await perform('changePlan', { by: person.by, json: { plan: 'pro' } })
  for (const operation of [
    'listWorkspaces',
    'listUsers',
    'listOperators',
    'listOperatorAuditLog',
    'getPlatformDomain',
    'getRetention',
    'getQueues',
    'listParkedEmails',
    'getHealth',
  ]) {
    await perform(operation, { by, query: operation.startsWith('list') ? '?limit=100' : '' })
  }
  await perform('getWorkspaceControls', { by, ids })
  await perform('setWorkspaceControls', { by, ids, json: { note: 'A note', limits: { monthly: 100 } } })
  await perform('createAdjustment', { by, ids, json: { amount_usd: '1.00', reason: 'A fee' } })
  const { data } = (await perform<{ data: { id: string }[] }>('listAllInvoices', { by, query: `?workspace=${ids.id}` }))
    .body
  const invoice = { id: data[0]?.id ?? '' }
  await perform('getAnyInvoice', { by, ids: invoice })
  await perform('updateInvoice', { by, ids: invoice, json: { status: 'paid' } })
  await perform('deleteWorkspace', { by, ids })
  await perform('restoreWorkspace', { by, ids })
  const { person: colleague } = await secured(story, await invited(story, person))
  await perform('addOperator', { by, json: { email: colleague.email } })
  await perform('removeOperator', { by, ids: { id: colleague.id } })
  await perform('getUser', { by, ids: { id: person.id } })
  await perform('updateUser', { by, ids: { id: person.id }, json: { disabled: true, reason: 'Abuse' } })
}

export const accounts = async (perform: Perform, world: World): Promise<void> => {
  const story = { perform, world }
  for (const part of [ownAccount, secondFactor, members, operator]) await part(story)
}
