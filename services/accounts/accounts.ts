import { randomBytes } from 'node:crypto'
import type { Accounts } from '@postrider/contracts/services.ts'
import { defaultAccountLimits } from '@postrider/domain/accounts/limits.ts'
import { defaultRetention } from '@postrider/domain/retention/retention.ts'
import { makeSecretBox, secretIdOf } from '@postrider/kit/secretBox.ts'
import { acceptInvitation, readInvitation } from './acceptInvitation.ts'
import { listAudit } from './auditLog.ts'
import { authenticateKey } from './authenticateKey.ts'
import { deferredWrites } from './deferredWrites.ts'
import { deleteOwnWorkspace, deleteWorkspace, restoreWorkspace } from './deleteWorkspace.ts'
import type { Deps } from './deps.ts'
import { changeEmail, confirmEmail, readLinkOf, resendConfirmation } from './emailAddress.ts'
import { invite, listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'
import { createKey, listKeys, revokeKey, rollKey, updateKey } from './keys.ts'
import { logIn } from './logIn.ts'
import { changeMember, listMembers, removeMember, transferOwnership } from './members.ts'
import { addOperator, listOperators, removeOperator } from './operators.ts'
import { getUser, listUsers, setUserControls } from './operatorUsers.ts'
import { issueOwnerLink, signInByLink } from './ownerLink.ts'
import { changePassword, requestPasswordReset, resetPassword } from './ownPassword.ts'
import { createWorkspace, listOwnWorkspaces, switchWorkspace } from './ownWorkspaces.ts'
import { argon2Passwords } from './passwords.ts'
import { getNotifications, setNotifications } from './preferences.ts'
import { confirmTotp, disableTotp, resealSecrets, startTotp } from './secondFactor.ts'
import { authenticateSession, logOut } from './session.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts'
import { ensureFirstWorkspace, type FirstWorkspace, signUp } from './signUp.ts'
import { getWorkspace, listWorkspaces, setWorkspaceControls, updateWorkspace } from './workspaces.ts'

/*
 * Accounts: users, workspaces and API keys. The rules are in packages/domain/accounts. One file has the operations
 * about one noun; the names of operations in `accountsService` below lead to it. The files of this service:
 *
 *   a person      signUp, logIn, session (tokens, the caller of a request), sessions (list, revoke), emailAddress,
 *                 ownPassword, secondFactor (codes: totp), device (notice of a login with another device), ownerLink
 *                 (the link that a start prints), preferences (notifications)
 *   a workspace   workspaces, ownWorkspaces (of one user), members, invitations, acceptInvitation, deleteWorkspace,
 *                 auditLog
 *   API keys      keys, authenticateKey
 *   the operator  operators, operatorUsers; workspaces has the operator's controls
 *
 *   shared        records (what is shown of stored records), auditEntries, people (changes of members and invitations),
 *                 links (one-time links), rateLimits, closedSignUp, passwords (hashes), deferredWrites, deps
 *   mail          mailQueue sends after the response; texts: mails.ts, notificationMails, invitationMail; recipients:
 *                 ownerMails
 *   jobs          opened by openAccounts: notifier (workspace events ─▶ emails of members), paymentNotices,
 *                 unusedKeys, reputation (bounces and complaints of each workspace), eraseWorkspaces
 */

/** Dependencies of the service; hashing, randomness and limits have defaults. */
export type AccountsOptions = Omit<Deps, 'passwords' | 'random' | 'limits' | 'deferWrite' | 'box' | 'retention'> &
  Partial<Pick<Deps, 'passwords' | 'random' | 'retention'>> & {
    limits?: Partial<Deps['limits']>
    /** Master keys: the first encrypts the secrets of second factors, all of them decrypt. */
    secrets: readonly [string, ...string[]]
  }

export type AccountsService = {
  accounts: Accounts
  /**
   * Makes a workspace with an owner and a test key if the store has no workspace yet. Their secrets are shown this
   * once.
   * @returns null: there is a workspace already
   */
  ensureFirstWorkspace(): Promise<FirstWorkspace | null>
  /** Makes the link that signs the first owner in; null: that owner has set a password or a second factor. */
  issueOwnerLink(): Promise<string | null>
  /** Encrypts the secrets of second factors again that a former master key encrypted. @returns how many */
  resealSecrets(): Promise<number>
}

/** Returns the service of users, sessions, workspaces and API keys. */
export const accountsService = ({ passwords, random, limits, secrets, ...given }: AccountsOptions): AccountsService => {
  const deps: Deps = {
    ...given,
    box: makeSecretBox({ secrets, purpose: 'totp' }),
    passwords: passwords ?? argon2Passwords(),
    random: random ?? randomBytes,
    limits: { ...defaultAccountLimits, ...limits },
    deferWrite: deferredWrites(),
    retention: given.retention ?? defaultRetention,
  }
  const accounts: Accounts = {
    SignUp: (request) => signUp(deps, request),
    LogIn: (request) => logIn(deps, request),
    LogOut: (request) => logOut(deps, request),
    AuthenticateSession: (request) => authenticateSession(deps, request),
    AuthenticateKey: (request) => authenticateKey(deps, request),
    GetWorkspace: (request) => getWorkspace(deps, request),
    UpdateWorkspace: (request) => updateWorkspace(deps, request),
    CreateKey: (request) => createKey(deps, request),
    ListKeys: (request) => listKeys(deps, request),
    UpdateKey: (request) => updateKey(deps, request),
    RevokeKey: (request) => revokeKey(deps, request),
    RollKey: (request) => rollKey(deps, request),
    ListWorkspaces: (request) => listWorkspaces(deps, request),
    SetWorkspaceControls: (request) => setWorkspaceControls(deps, request),
    ListAudit: (request, signal) => listAudit(deps, request, signal),
    DeleteWorkspace: (request) => deleteWorkspace(deps, request),
    DeleteOwnWorkspace: (request) => deleteOwnWorkspace(deps, request),
    RestoreWorkspace: (request) => restoreWorkspace(deps, request),
    ListUsers: (request) => listUsers(deps, request),
    GetUser: (request) => getUser(deps, request),
    SetUserControls: (request) => setUserControls(deps, request),
    ListOperators: (request) => listOperators(deps, request),
    AddOperator: (request) => addOperator(deps, request),
    RemoveOperator: (request) => removeOperator(deps, request),
    ListMembers: (request) => listMembers(deps, request),
    ChangeMember: (request) => changeMember(deps, request),
    RemoveMember: (request) => removeMember(deps, request),
    TransferOwnership: (request) => transferOwnership(deps, request),
    Invite: (request) => invite(deps, request),
    ListInvitations: (request) => listInvitations(deps, request),
    RevokeInvitation: (request) => revokeInvitation(deps, request),
    ResendInvitation: (request) => resendInvitation(deps, request),
    ReadInvitation: (request) => readInvitation(deps, request),
    AcceptInvitation: (request) => acceptInvitation(deps, request),
    ListOwnWorkspaces: (request) => listOwnWorkspaces(deps, request),
    CreateWorkspace: (request) => createWorkspace(deps, request),
    SwitchWorkspace: (request) => switchWorkspace(deps, request),
    ReadLink: (request) => readLinkOf(deps, request),
    ConfirmEmail: (request) => confirmEmail(deps, request),
    ResendConfirmation: (request) => resendConfirmation(deps, request),
    ChangeEmail: (request) => changeEmail(deps, request),
    RequestPasswordReset: (request) => requestPasswordReset(deps, request),
    ResetPassword: (request) => resetPassword(deps, request),
    SignInByLink: (request) => signInByLink(deps, request),
    ChangePassword: (request) => changePassword(deps, request),
    StartTotp: (request) => startTotp(deps, request),
    ConfirmTotp: (request) => confirmTotp(deps, request),
    DisableTotp: (request) => disableTotp(deps, request),
    ListSessions: (request) => listSessions(deps, request),
    RevokeSession: (request) => revokeSession(deps, request),
    RevokeOtherSessions: (request) => revokeOtherSessions(deps, request),
    GetNotifications: (request) => getNotifications(deps, request),
    SetNotifications: (request) => setNotifications(deps, request),
  }
  return {
    accounts,
    ensureFirstWorkspace: () => ensureFirstWorkspace(deps),
    issueOwnerLink: () => issueOwnerLink(deps),
    resealSecrets: () => resealSecrets(deps, secretIdOf),
  }
}
