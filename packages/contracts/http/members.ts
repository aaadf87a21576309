import { linkLifeMs } from '@postrider/domain/accounts/links.ts'
import { roles } from '@postrider/domain/accounts/roles.ts'
import { maxWorkspaceNameLength, textProblems } from '@postrider/domain/accounts/textRules.ts'
import { planNames } from '@postrider/domain/quota/plans.ts'
import { durationText } from '@postrider/domain/time.ts'
import { z } from 'zod'
import { code, newEmail, password, refineWith } from './account.ts'
import { listOf, oneOf, strictObject, time } from './schema.ts'
import { roleText } from './values.ts'

const role = () => z.enum(roles).describe(`Role of the invited person; it must not be above your own. ${roleText}`)

/** Path parameters of an operation on one member. */
export const MemberId = z.object({ user_id: z.string().describe('The user’s id.').meta({ minLength: 1 }) })

/** Body of `PATCH /api/v1/members/{user_id}`. */
export const UpdateMember = strictObject({ role: role() }).meta({ id: 'UpdateMember' })

export const MemberRecord = z
  .looseObject({
    object: z.literal('member'),
    user: z.looseObject({ id: z.string(), email: z.string() }),
    role: oneOf(roles).describe(`What the member may do. ${roleText}`),
    joined_at: time(),
    last_seen_at: time()
      .nullable()
      .describe('When the member last used a session in this workspace, to the minute; null: none is open.'),
    totp_enabled: z
      .boolean()
      .nullable()
      .describe(
        'Whether the member has two-factor authentication. Owners and admins see the value for all members, others only their own; null: not visible.',
      ),
  })
  .meta({ id: 'Member' })

export const MemberList = listOf(MemberRecord, 'MemberList')

/** Body of `POST /api/v1/members/invitations`. */
export const Invite = strictObject({
  email: newEmail()
    .describe('The address that the invitation is sent to. Only its reader can accept it.')
    .meta({ example: 'john@example.com' }),
  role: role(),
}).meta({ id: 'Invite' })

export const InvitationRecord = z
  .looseObject({
    object: z.literal('invitation'),
    id: z.string(),
    email: z.string(),
    role: oneOf(roles).describe(`What the person may do after accepting it. ${roleText}`),
    status: oneOf(['pending', 'expired']).describe(
      `\`pending\`: its link can be used. \`expired\`: it is older than ${durationText(linkLifeMs.invitation)}; send it again.`,
    ),
    invited_by: z
      .string()
      .describe('Id of the user who sent it last. The invitation ends when this user may no longer assign its role.'),
    created_at: time(),
    sent_at: time().describe('When the last mail was sent.'),
    expires_at: time(),
  })
  .meta({ id: 'Invitation' })

export const InvitationList = listOf(InvitationRecord, 'InvitationList')

/** Body of `POST /api/v1/auth/invitations/accept`. */
export const AcceptInvitation = strictObject({
  token: z.string().min(1).max(200).describe('The token in the link of the mail.').meta({ example: 'q1W…' }),
  password: password(z.string().min(1))
    .optional()
    .describe(
      'For a new user: the password of the new account, 8 to 256 characters. For a user who is not logged in: their password. Refused (`not_used`) in a session, which needs none.',
    ),
  code: code().describe(
    'Code of the second factor, or a recovery code, for a user with two-factor authentication who is not logged in. Refused (`not_used`) where it would not be checked.',
  ),
}).meta({ id: 'AcceptInvitation' })

/** Body of `POST /api/v1/auth/session`. */
export const SwitchWorkspace = strictObject({
  workspace: z
    .string()
    .min(1)
    .max(100)
    .describe('Id of a workspace of the user.')
    .meta({ example: 'ws_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
}).meta({ id: 'SwitchWorkspace' })

/** Body of `POST /api/v1/workspaces`. */
export const CreateWorkspace = strictObject({
  name: z
    .string()
    .superRefine(refineWith((text) => textProblems('', text, { max: maxWorkspaceNameLength })))
    .describe('Name of the new workspace, up to 100 characters.')
    .meta({ minLength: 1, example: 'Acme Labs' }),
}).meta({ id: 'CreateWorkspace' })

export const OwnWorkspaceRecord = z
  .looseObject({
    object: z.literal('workspace_membership'),
    id: z.string().describe('Id of the workspace.'),
    name: z.string(),
    plan: oneOf(planNames).describe('The plan, which sets the quotas.'),
    role: oneOf(roles).describe(`What the user may do there. ${roleText}`),
    current: z.boolean().describe('Whether the session is in this workspace.'),
    created_at: time(),
  })
  .meta({ id: 'WorkspaceMembership' })

export const OwnWorkspaceList = listOf(OwnWorkspaceRecord, 'WorkspaceMembershipList')
