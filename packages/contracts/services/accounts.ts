import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { AuditState, Redaction } from '@postrider/domain/audit/entry.ts'
import type { Mode, UnknownPolicy } from '@postrider/domain/email/email.ts'
import type { Position } from '@postrider/domain/position.ts'
import type { Override } from '@postrider/domain/quota/plans.ts'
import type { StoredRate } from '@postrider/domain/rateLimit/override.ts'
import type { Retention } from '@postrider/domain/retention/retention.ts'
import type { AccountsDefinition } from '../gen/postrider/accounts/v1/Accounts.ts'
import type { ApiKey__Output as ApiKeyMessage } from '../gen/postrider/accounts/v1/ApiKey.ts'
import type { AuditLine__Output as AuditLineMessage } from '../gen/postrider/accounts/v1/AuditLine.ts'
import type { AuditList__Output as AuditListMessage } from '../gen/postrider/accounts/v1/AuditList.ts'
import type { CreateKeyRequest__Output as CreateKeyMessage } from '../gen/postrider/accounts/v1/CreateKeyRequest.ts'
import type { Invitation__Output as InvitationMessage } from '../gen/postrider/accounts/v1/Invitation.ts'
import type { InvitationOffer__Output as InvitationOfferMessage } from '../gen/postrider/accounts/v1/InvitationOffer.ts'
import type { KeyRequest__Output as KeyRequest } from '../gen/postrider/accounts/v1/KeyRequest.ts'
import type { ListAuditRequest__Output as ListAuditMessage } from '../gen/postrider/accounts/v1/ListAuditRequest.ts'
import type { Member__Output as MemberMessage } from '../gen/postrider/accounts/v1/Member.ts'
import type { OperatorState__Output as OperatorMessage } from '../gen/postrider/accounts/v1/OperatorState.ts'
import type { OwnWorkspace__Output as OwnWorkspaceMessage } from '../gen/postrider/accounts/v1/OwnWorkspace.ts'
import type { SessionInfo__Output as SessionMessage } from '../gen/postrider/accounts/v1/SessionInfo.ts'
import type { SessionReply__Output as SessionReplyMessage } from '../gen/postrider/accounts/v1/SessionReply.ts'
import type { UserState__Output as UserMessage } from '../gen/postrider/accounts/v1/UserState.ts'
import type { Workspace__Output as WorkspaceMessage } from '../gen/postrider/accounts/v1/Workspace.ts'
import { allowedCalls } from './allowedCalls.ts'
import { authenticateMs, callMs, mebibyte, passwordMs, read, write } from './rules.ts'
import type { Service, ServiceSpec } from './service.ts'
import type { WithTimes } from './times.ts'

export type AccountsRpc = Service<AccountsDefinition>

/** Fields of messages with a time. */
export const accountTimes = {
  apiKey: { always: ['created_at'], maybe: ['expires_at', 'last_used_at', 'revoked_at', 'unused_since'] },
  workspace: { always: ['created_at'], maybe: ['deletes_at'] },
  user: { always: ['created_at'], maybe: ['last_seen_at'] },
  operator: { always: ['since'], maybe: ['last_seen_at'] },
  member: { always: ['joined_at'], maybe: ['last_seen_at'] },
  invitation: { always: ['created_at', 'sent_at', 'expires_at'] },
  offer: { always: ['expires_at'] },
  ownWorkspace: { always: ['created_at'] },
  session: { always: ['created_at', 'last_used_at'] },
  auditQuery: { always: [], optional: ['created_after', 'created_before'] },
} as const

type Times = typeof accountTimes

export type ApiKey = WithTimes<ApiKeyMessage, Times['apiKey']>
/** `retention` null: that of the installation. */
export type Workspace = Omit<WithTimes<WorkspaceMessage, Times['workspace']>, 'retention'> & {
  retention: Retention | null
}
export type UserState = WithTimes<UserMessage, Times['user']>
export type OperatorState = WithTimes<OperatorMessage, Times['operator']>
export type Member = WithTimes<MemberMessage, Times['member']>
export type Invitation = WithTimes<InvitationMessage, Times['invitation']>
export type InvitationOffer = WithTimes<InvitationOfferMessage, Times['offer']>
export type OwnWorkspace = WithTimes<OwnWorkspaceMessage, Times['ownWorkspace']>
export type SessionInfo = WithTimes<SessionMessage, Times['session']>

/** Caller of a request, with the settings of the workspace. */
export type Caller = {
  workspace: string
  /** Null for a session. */
  keyId: string | null
  /** Id of the first of the keys that replaced each other; null: no key was replaced. */
  keyFamily: string | null
  /** Null for an API key. */
  userId: string | null
  /** Null for an API key. */
  role: Role | null
  /** Mode of the key; a session is live. */
  mode: Mode
  /** Scopes of the key; the role determines those of a session. */
  scopes: string[]
  /** Sending domains that the key may use; none: all. */
  domains: string[]
  /** Addresses and domains that the key may send to; none: all. */
  recipients: string[]
  /** Whether the workspace requires a second factor and the person has none. */
  needsTotp: boolean
  /** Display name on the shared sender. */
  senderName: string
  hasPostalAddress: boolean
  /** The default of the workspace. */
  onUnknown: UnknownPolicy
  /** The default of the workspace; null: that of the installation. */
  retention: Retention | null
  /** Whether sends are refused. */
  suspended: boolean
  /** For the users of the workspace; null: none. */
  suspendedReason: string | null
  /** Null: no deletion is scheduled. */
  deletesAt: number | null
} & StoredRate

/** A person with a session as the caller. */
export type SessionCaller = Caller & { userId: string; role: Role }

export type SessionReply = Omit<SessionReplyMessage, 'caller'> & { caller: SessionCaller | null }

export type TotpEnabled = { session: SessionReply; recovery_codes: string[] }

export type CreatedKey = { key: ApiKey; secret: string }

/** Absent fields stay. `retention` null: that of the installation. */
export type UpdateWorkspaceRequest = Omit<Request<'UpdateWorkspace'>, 'retention'> & { retention?: Retention | null }

/** `expires_at` null: never. */
export type CreateKeyRequest = Omit<CreateKeyMessage, 'expires_at'> & { expires_at: number | null }

/** Change of a key. Absent fields stay. `expires_at` null: never; an empty list removes a limit. */
export type UpdateKeyRequest = KeyRequest & {
  name?: string
  expires_at?: number | null
  scopes?: string[]
  domains?: string[]
  networks?: string[]
  recipients?: string[]
}

/** Settings of a workspace that the operator controls. Absent fields stay. */
export type WorkspaceControls = Omit<Request<'SetWorkspaceControls'>, 'rate' | 'burst'> & {
  rate?: Override
  burst?: Override
}

/** `before`: the page begins after this position; null: with the newest entry. */
export type ListAuditRequest = Omit<WithTimes<ListAuditMessage, Times['auditQuery']>, 'before'> & {
  before: Position | null
}

/** An entry of the audit log, with the name of its actor. `redactions` absent: nothing was removed of it. */
export type ShownAuditEntry = Omit<
  AuditLineMessage,
  'created_at' | 'before_json' | 'after_json' | 'redactions_json'
> & {
  created_at: number
  before: AuditState | null
  after: AuditState | null
  redactions?: readonly Redaction[]
}

/** `last_position`: of the last entry; null: there is none. */
export type AuditList = Pick<AuditListMessage, 'has_more'> & {
  entries: ShownAuditEntry[]
  last_position: Position | null
}

/**
 * The methods whose messages have times or structured values, as a process uses them. The others are used in their
 * proto form.
 */
type Structured = {
  SignUp(request: Request<'SignUp'>): Promise<SessionReply>
  LogIn(request: Request<'LogIn'>): Promise<SessionReply>
  AuthenticateSession(request: Request<'AuthenticateSession'>): Promise<SessionReply>
  AuthenticateKey(request: Request<'AuthenticateKey'>): Promise<Caller>
  AcceptInvitation(request: Request<'AcceptInvitation'>): Promise<SessionReply>
  SwitchWorkspace(request: Request<'SwitchWorkspace'>): Promise<SessionReply>
  SignInByLink(request: Request<'SignInByLink'>): Promise<SessionReply>
  ChangePassword(request: Request<'ChangePassword'>): Promise<SessionReply>
  ConfirmTotp(request: Request<'ConfirmTotp'>): Promise<TotpEnabled>
  GetWorkspace(request: Request<'GetWorkspace'>): Promise<Workspace>
  UpdateWorkspace(request: UpdateWorkspaceRequest): Promise<Workspace>
  ListWorkspaces(request: Request<'ListWorkspaces'>): Promise<{ workspaces: Workspace[] }>
  SetWorkspaceControls(request: WorkspaceControls): Promise<Workspace>
  DeleteWorkspace(request: Request<'DeleteWorkspace'>): Promise<Workspace>
  RestoreWorkspace(request: Request<'RestoreWorkspace'>): Promise<Workspace>
  DeleteOwnWorkspace(request: Request<'DeleteOwnWorkspace'>): Promise<Workspace>
  ListOwnWorkspaces(request: Request<'ListOwnWorkspaces'>): Promise<{ workspaces: OwnWorkspace[] }>
  CreateWorkspace(request: Request<'CreateWorkspace'>): Promise<OwnWorkspace>
  CreateKey(request: CreateKeyRequest): Promise<CreatedKey>
  ListKeys(request: Request<'ListKeys'>): Promise<{ keys: ApiKey[] }>
  UpdateKey(request: UpdateKeyRequest): Promise<ApiKey>
  RollKey(request: Request<'RollKey'>): Promise<CreatedKey>
  /** Stops reading when `signal` is aborted. */
  ListAudit(request: ListAuditRequest, signal?: AbortSignal): Promise<AuditList>
  ListUsers(request: Request<'ListUsers'>): Promise<{ users: UserState[] }>
  GetUser(request: Request<'GetUser'>): Promise<UserState>
  SetUserControls(request: Request<'SetUserControls'>): Promise<UserState>
  ListOperators(request: Request<'ListOperators'>): Promise<{ operators: OperatorState[] }>
  AddOperator(request: Request<'AddOperator'>): Promise<OperatorState>
  ListMembers(request: Request<'ListMembers'>): Promise<{ members: Member[] }>
  ChangeMember(request: Request<'ChangeMember'>): Promise<Member>
  TransferOwnership(request: Request<'TransferOwnership'>): Promise<Member>
  Invite(request: Request<'Invite'>): Promise<Invitation>
  ListInvitations(request: Request<'ListInvitations'>): Promise<{ invitations: Invitation[] }>
  ResendInvitation(request: Request<'ResendInvitation'>): Promise<Invitation>
  ReadInvitation(request: Request<'ReadInvitation'>): Promise<InvitationOffer>
  ListSessions(request: Request<'ListSessions'>): Promise<{ sessions: SessionInfo[] }>
}

type Request<Method extends keyof AccountsRpc> = Parameters<AccountsRpc[Method]>[0]

/** Authentication and authorization: users, sessions, workspaces and API keys. */
export type Accounts = Omit<AccountsRpc, keyof Structured> & Structured

export const accountsSpec: ServiceSpec<AccountsRpc> = {
  proto: 'postrider/accounts/v1/accounts.proto',
  name: 'postrider.accounts.v1.Accounts',
  callers: { gateway: allowedCalls.gateway.accounts },
  // A page of the audit log has at most 4 MiB plus one entry.
  messageBytes: 8 * mebibyte,
  methods: {
    SignUp: { deadlineMs: passwordMs, repeatable: false },
    LogIn: { deadlineMs: passwordMs, repeatable: false },
    LogOut: { deadlineMs: callMs, repeatable: true },
    AuthenticateSession: { deadlineMs: authenticateMs, repeatable: true },
    AuthenticateKey: { deadlineMs: authenticateMs, repeatable: true },
    GetWorkspace: read,
    UpdateWorkspace: write,
    CreateKey: write,
    ListKeys: read,
    UpdateKey: write,
    RevokeKey: { deadlineMs: callMs, repeatable: true },
    ListWorkspaces: read,
    SetWorkspaceControls: write,
    ListAudit: read,
    RollKey: write,
    DeleteWorkspace: { deadlineMs: callMs, repeatable: true },
    RestoreWorkspace: { deadlineMs: callMs, repeatable: true },
    DeleteOwnWorkspace: write,
    ListUsers: read,
    GetUser: read,
    SetUserControls: write,
    ListOperators: read,
    AddOperator: write,
    RemoveOperator: write,
    ListMembers: read,
    ChangeMember: write,
    RemoveMember: write,
    TransferOwnership: write,
    Invite: write,
    ListInvitations: read,
    RevokeInvitation: write,
    ResendInvitation: write,
    ReadInvitation: read,
    AcceptInvitation: { deadlineMs: passwordMs, repeatable: true, repeatField: 'is_repeat' },
    ListOwnWorkspaces: read,
    CreateWorkspace: write,
    SwitchWorkspace: write,
    ReadLink: read,
    ConfirmEmail: write,
    ResendConfirmation: write,
    ChangeEmail: write,
    RequestPasswordReset: write,
    ResetPassword: { deadlineMs: passwordMs, repeatable: false },
    SignInByLink: write,
    ChangePassword: write,
    StartTotp: write,
    ConfirmTotp: write,
    DisableTotp: write,
    ListSessions: read,
    RevokeSession: write,
    RevokeOtherSessions: write,
    GetNotifications: read,
    SetNotifications: { deadlineMs: callMs, repeatable: true },
  },
}
