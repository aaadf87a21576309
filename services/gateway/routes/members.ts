import { MemberId, MemberList, MemberRecord, UpdateMember } from '@postrider/contracts/http/members.ts'
import { Page, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { Member, SessionCaller } from '@postrider/contracts/services.ts'
import { isRole, mayDo } from '@postrider/domain/accounts/roles.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { listPage } from '../lists.ts'
import { sessionRoute } from '../route.ts'

const path = '/api/v1/members'

/**
 * Returns a member as one person sees them: who has no second factor is shown to those who can act on it, because it
 * also shows which account is the easiest to attack.
 */
const memberRecord = (
  { user, email, role, joined_at, last_seen_at, totp_enabled }: Member,
  viewer: Pick<SessionCaller, 'userId' | 'role'>,
) =>
  ({
    object: 'member',
    user: { id: user, email },
    role,
    joined_at: isoTime(joined_at),
    last_seen_at: isoTimeOrNull(last_seen_at),
    totp_enabled:
      user === viewer.userId || (isRole(viewer.role) && mayDo(viewer.role, 'members:write')) ? totp_enabled : null,
  }) satisfies RecordOf<typeof MemberRecord>

/** The order of joining, as cursors have it. Times have one length, so texts sort as times do. */
const positionOf = ({ joined_at, user }: Pick<Member, 'joined_at' | 'user'>): string => `${isoTime(joined_at)} ${user}`

export const listMembers = sessionRoute({
  name: 'listMembers',
  method: 'GET',
  path,
  session: 'members:read',
  tag: 'Members',
  summary: 'List the members of the workspace',
  limit: 'read',
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: MemberList, description: 'A page of members, the newest first.' },
  handle: async ({ query, caller }, { accounts, cursors }) => {
    const { workspace } = caller
    const { limit, before, nextCursor } = listPage(cursors, path, workspace, query)
    // The accounts service returns all members: a workspace has at most some hundreds.
    const { members } = await accounts.ListMembers({ workspace })
    const newestFirst = members.toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1))
    const older = before === '' ? newestFirst : newestFirst.filter((member) => positionOf(member) < before)
    const shown = older.slice(0, limit)
    const last = shown.at(-1)
    const has_more = older.length > limit
    const next_cursor = nextCursor(has_more, last && positionOf(last))
    return {
      json: {
        object: 'list' as const,
        data: shown.map((member) => memberRecord(member, caller)),
        has_more,
        next_cursor,
      },
    }
  },
})

export const updateMember = sessionRoute({
  name: 'updateMember',
  method: 'PATCH',
  path: `${path}/:user_id`,
  session: 'members:write',
  tag: 'Members',
  summary: 'Change the role of a member',
  description:
    'A member cannot assign a role above their own, or change a member whose role is above their own. An owner can make other members owners. The last owner keeps the role. Requests after the response have the new role, at every gateway.',
  limit: 'write',
  params: MemberId,
  body: UpdateMember,
  reply: { status: 200, body: MemberRecord, description: 'The member after the change.' },
  errors: ['forbidden', 'conflict'],
  handle: async (
    { params: { user_id: member }, body: { role }, caller, clientAddress: client_address },
    { accounts },
  ) => {
    const { workspace, userId: user } = caller
    return {
      json: memberRecord(await accounts.ChangeMember({ workspace, user, member, role, client_address }), caller),
    }
  },
})

export const removeMember = sessionRoute({
  name: 'removeMember',
  method: 'DELETE',
  path: `${path}/:user_id`,
  session: 'account:use',
  tag: 'Members',
  summary: 'Remove a member, or leave the workspace',
  description:
    'Everyone may leave, except the last owner. Removing another member needs the role admin, and at least the member’s own role. The sessions of the member in this workspace end immediately. API keys that the member made stay valid: revoke those that the member may know.',
  limit: 'write',
  params: MemberId,
  reply: { status: 204, description: 'The person is no longer a member.' },
  errors: ['forbidden', 'conflict'],
  handle: async (
    { params: { user_id: member }, caller: { workspace, userId: user }, clientAddress: client_address },
    { accounts },
  ) => {
    await accounts.RemoveMember({ workspace, user, member, client_address })
    return { empty: true }
  },
})

export const transferOwnership = sessionRoute({
  name: 'transferOwnership',
  method: 'POST',
  path: `${path}/:user_id/transfer-ownership`,
  session: 'ownership:write',
  tag: 'Members',
  summary: 'Make another member the owner',
  description:
    'The member becomes an owner and the caller an admin, in one step. A member whom the operator disabled is a `conflict`.',
  limit: 'write',
  params: MemberId,
  reply: { status: 200, body: MemberRecord, description: 'The new owner.' },
  errors: ['conflict'],
  handle: async ({ params: { user_id: member }, caller, clientAddress: client_address }, { accounts }) => {
    const { workspace, userId: user } = caller
    return { json: memberRecord(await accounts.TransferOwnership({ workspace, user, member, client_address }), caller) }
  },
})
