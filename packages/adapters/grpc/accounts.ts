import type { AuditLine__Output as AuditLineMessage } from '@postrider/contracts/gen/postrider/accounts/v1/AuditLine.ts'
import type { CreatedKey__Output as CreatedKeyMessage } from '@postrider/contracts/gen/postrider/accounts/v1/CreatedKey.ts'
import type { SessionReply__Output as SessionReplyMessage } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import type { UpdateKeyRequest__Output as UpdateKeyMessage } from '@postrider/contracts/gen/postrider/accounts/v1/UpdateKeyRequest.ts'
import type { UpdateWorkspaceRequest__Output as UpdateWorkspaceMessage } from '@postrider/contracts/gen/postrider/accounts/v1/UpdateWorkspaceRequest.ts'
import type { Workspace__Output as WorkspaceMessage } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import {
  type Accounts,
  type AccountsRpc,
  accountTimes,
  type CreatedKey,
  type SessionReply,
  type ShownAuditEntry,
  type UpdateKeyRequest,
  type UpdateWorkspaceRequest,
  type Workspace,
  type WorkspaceControls,
} from '@postrider/contracts/services.ts'
import type { AuditState, Redaction } from '@postrider/domain/audit/entry.ts'
import { parsePosition, positionText } from '@postrider/domain/position.ts'
import { parseRetention, retentionText } from '@postrider/domain/retention/retention.ts'
import { isoTime, isoTimeOrEmpty, parseTime } from '@postrider/domain/time.ts'
import { invalid, requirePart } from '@postrider/kit/fault.ts'
import { callerMessage, readCaller, readRetention, readSessionCaller } from './callers.ts'
import { overrideText, readOverride } from './overrides.ts'
import { codec } from './times.ts'

/** Returns accounts for its callers, over a gRPC client. */
export const accountsClient = (rpc: AccountsRpc): Accounts => ({
  ...rpc,
  SignUp: async (request) => readSession(await rpc.SignUp(request)),
  LogIn: async (request) => readSession(await rpc.LogIn(request)),
  AuthenticateSession: async (request) => readSession(await rpc.AuthenticateSession(request)),
  AcceptInvitation: async (request) => readSession(await rpc.AcceptInvitation(request)),
  SwitchWorkspace: async (request) => readSession(await rpc.SwitchWorkspace(request)),
  SignInByLink: async (request) => readSession(await rpc.SignInByLink(request)),
  ChangePassword: async (request) => readSession(await rpc.ChangePassword(request)),
  AuthenticateKey: async (request) => readCaller(await rpc.AuthenticateKey(request)),
  ConfirmTotp: async (request) => {
    const enabled = await rpc.ConfirmTotp(request)
    return { ...enabled, session: readSession(requirePart(enabled.session, 'session')) }
  },
  GetWorkspace: async (request) => workspace.read(await rpc.GetWorkspace(request)),
  UpdateWorkspace: async (request) => workspace.read(await rpc.UpdateWorkspace(workspaceUpdateMessage(request))),
  ListWorkspaces: async (request) => ({
    workspaces: (await rpc.ListWorkspaces(request)).workspaces.map(workspace.read),
  }),
  SetWorkspaceControls: async (request) => workspace.read(await rpc.SetWorkspaceControls(controlsMessage(request))),
  DeleteWorkspace: async (request) => workspace.read(await rpc.DeleteWorkspace(request)),
  RestoreWorkspace: async (request) => workspace.read(await rpc.RestoreWorkspace(request)),
  DeleteOwnWorkspace: async (request) => workspace.read(await rpc.DeleteOwnWorkspace(request)),
  ListOwnWorkspaces: async (request) => ({
    workspaces: (await rpc.ListOwnWorkspaces(request)).workspaces.map(ownWorkspace.read),
  }),
  CreateWorkspace: async (request) => ownWorkspace.read(await rpc.CreateWorkspace(request)),
  CreateKey: async (request) =>
    readCreatedKey(await rpc.CreateKey({ ...request, expires_at: isoTimeOrEmpty(request.expires_at) })),
  ListKeys: async (request) => ({ keys: (await rpc.ListKeys(request)).keys.map(apiKey.read) }),
  UpdateKey: async (request) => apiKey.read(await rpc.UpdateKey(updateKeyMessage(request))),
  RollKey: async (request) => readCreatedKey(await rpc.RollKey(request)),
  ListAudit: async (request, signal) => {
    const { before, ...query } = request
    const position = before === null ? '' : positionText(before)
    const { lines, has_more, last_position } = await rpc.ListAudit(
      { ...auditQuery.write(query), before: position },
      signal,
    )
    return { entries: lines.map(readAuditEntry), has_more, last_position: parsePosition(last_position) }
  },
  ListUsers: async (request) => ({ users: (await rpc.ListUsers(request)).users.map(user.read) }),
  GetUser: async (request) => user.read(await rpc.GetUser(request)),
  SetUserControls: async (request) => user.read(await rpc.SetUserControls(request)),
  ListOperators: async (request) => ({
    operators: (await rpc.ListOperators(request)).operators.map(operator.read),
  }),
  AddOperator: async (request) => operator.read(await rpc.AddOperator(request)),
  ListMembers: async (request) => ({ members: (await rpc.ListMembers(request)).members.map(member.read) }),
  ChangeMember: async (request) => member.read(await rpc.ChangeMember(request)),
  TransferOwnership: async (request) => member.read(await rpc.TransferOwnership(request)),
  Invite: async (request) => invitation.read(await rpc.Invite(request)),
  ListInvitations: async (request) => ({
    invitations: (await rpc.ListInvitations(request)).invitations.map(invitation.read),
  }),
  ResendInvitation: async (request) => invitation.read(await rpc.ResendInvitation(request)),
  ReadInvitation: async (request) => offer.read(await rpc.ReadInvitation(request)),
  ListSessions: async (request) => ({ sessions: (await rpc.ListSessions(request)).sessions.map(session.read) }),
})

/** Returns the gRPC handlers of accounts. */
export const accountsHandlers = (accounts: Accounts): AccountsRpc => ({
  ...accounts,
  SignUp: async (request) => sessionMessage(await accounts.SignUp(request)),
  LogIn: async (request) => sessionMessage(await accounts.LogIn(request)),
  AuthenticateSession: async (request) => sessionMessage(await accounts.AuthenticateSession(request)),
  AcceptInvitation: async (request) => sessionMessage(await accounts.AcceptInvitation(request)),
  SwitchWorkspace: async (request) => sessionMessage(await accounts.SwitchWorkspace(request)),
  SignInByLink: async (request) => sessionMessage(await accounts.SignInByLink(request)),
  ChangePassword: async (request) => sessionMessage(await accounts.ChangePassword(request)),
  AuthenticateKey: async (request) => callerMessage(await accounts.AuthenticateKey(request)),
  ConfirmTotp: async (request) => {
    const enabled = await accounts.ConfirmTotp(request)
    return { ...enabled, session: sessionMessage(enabled.session) }
  },
  GetWorkspace: async (request) => workspace.write(await accounts.GetWorkspace(request)),
  UpdateWorkspace: async (request) => workspace.write(await accounts.UpdateWorkspace(readWorkspaceUpdate(request))),
  ListWorkspaces: async (request) => ({
    workspaces: (await accounts.ListWorkspaces(request)).workspaces.map(workspace.write),
  }),
  SetWorkspaceControls: async (request) => workspace.write(await accounts.SetWorkspaceControls(readControls(request))),
  DeleteWorkspace: async (request) => workspace.write(await accounts.DeleteWorkspace(request)),
  RestoreWorkspace: async (request) => workspace.write(await accounts.RestoreWorkspace(request)),
  DeleteOwnWorkspace: async (request) => workspace.write(await accounts.DeleteOwnWorkspace(request)),
  ListOwnWorkspaces: async (request) => ({
    workspaces: (await accounts.ListOwnWorkspaces(request)).workspaces.map(ownWorkspace.write),
  }),
  CreateWorkspace: async (request) => ownWorkspace.write(await accounts.CreateWorkspace(request)),
  CreateKey: async (request) =>
    createdKeyMessage(await accounts.CreateKey({ ...request, expires_at: readExpiry(request.expires_at) })),
  ListKeys: async (request) => ({ keys: (await accounts.ListKeys(request)).keys.map(apiKey.write) }),
  UpdateKey: async (request) => apiKey.write(await accounts.UpdateKey(readUpdateKey(request))),
  RollKey: async (request) => createdKeyMessage(await accounts.RollKey(request)),
  ListAudit: async (request, signal) => {
    const { before, ...query } = request
    const page = await accounts.ListAudit({ ...auditQuery.read(query), before: parsePosition(before) }, signal)
    const last_position = page.last_position === null ? '' : positionText(page.last_position)
    return { lines: page.entries.map(auditEntryMessage), has_more: page.has_more, last_position }
  },
  ListUsers: async (request) => ({ users: (await accounts.ListUsers(request)).users.map(user.write) }),
  GetUser: async (request) => user.write(await accounts.GetUser(request)),
  SetUserControls: async (request) => user.write(await accounts.SetUserControls(request)),
  ListOperators: async (request) => ({
    operators: (await accounts.ListOperators(request)).operators.map(operator.write),
  }),
  AddOperator: async (request) => operator.write(await accounts.AddOperator(request)),
  ListMembers: async (request) => ({ members: (await accounts.ListMembers(request)).members.map(member.write) }),
  ChangeMember: async (request) => member.write(await accounts.ChangeMember(request)),
  TransferOwnership: async (request) => member.write(await accounts.TransferOwnership(request)),
  Invite: async (request) => invitation.write(await accounts.Invite(request)),
  ListInvitations: async (request) => ({
    invitations: (await accounts.ListInvitations(request)).invitations.map(invitation.write),
  }),
  ResendInvitation: async (request) => invitation.write(await accounts.ResendInvitation(request)),
  ReadInvitation: async (request) => offer.write(await accounts.ReadInvitation(request)),
  ListSessions: async (request) => ({ sessions: (await accounts.ListSessions(request)).sessions.map(session.write) }),
})

const apiKey = codec(accountTimes.apiKey)
const workspaceTimes = codec(accountTimes.workspace)

const workspace = {
  write: ({ retention, ...record }: Workspace): WorkspaceMessage => ({
    ...workspaceTimes.write(record),
    retention: retentionText(retention),
  }),
  /** A retention that cannot be read, which an earlier release stored, is that of the installation. */
  read: ({ retention, ...message }: WorkspaceMessage): Workspace => ({
    ...workspaceTimes.read(message),
    retention: parseRetention(retention),
  }),
}

const user = codec(accountTimes.user)
const operator = codec(accountTimes.operator)
const member = codec(accountTimes.member)
const invitation = codec(accountTimes.invitation)
const offer = codec(accountTimes.offer)
const ownWorkspace = codec(accountTimes.ownWorkspace)
const session = codec(accountTimes.session)
const auditQuery = codec(accountTimes.auditQuery)

const workspaceUpdateMessage = ({ retention, ...change }: UpdateWorkspaceRequest): UpdateWorkspaceMessage => ({
  ...change,
  ...(retention !== undefined && { retention: retentionText(retention) }),
})

const readWorkspaceUpdate = ({ retention, ...change }: UpdateWorkspaceMessage): UpdateWorkspaceRequest => ({
  ...change,
  ...(retention !== undefined && { retention: retention === '' ? null : readRetention(retention) }),
})

const sessionMessage = ({ caller: person, ...reply }: SessionReply): SessionReplyMessage => ({
  ...reply,
  caller: person && callerMessage(person),
})

const readSession = ({ caller: person, ...reply }: SessionReplyMessage): SessionReply => ({
  ...reply,
  caller: person && readSessionCaller(person),
})

const createdKeyMessage = ({ key, secret }: CreatedKey): CreatedKeyMessage => ({ key: apiKey.write(key), secret })

const readCreatedKey = ({ key, secret }: CreatedKeyMessage): CreatedKey => ({
  key: apiKey.read(requirePart(key, 'key')),
  secret,
})

/** A gateway of release 0.1 does not read the time. @throws Fault `validation_failed` */
const readExpiry = (text: string): number | null => {
  if (text === '') return null
  const at = parseTime(text)
  if (at !== null) return at
  const message = 'Must be a time with its offset, such as 2030-01-31T12:00:00Z.'
  throw invalid({ path: 'expires_at', code: 'invalid_time', message })
}

const updateKeyMessage = ({
  expires_at,
  scopes,
  domains,
  networks,
  recipients,
  ...request
}: UpdateKeyRequest): UpdateKeyMessage => ({
  ...request,
  ...(expires_at !== undefined && { expires_at: isoTimeOrEmpty(expires_at) }),
  set_scopes: scopes !== undefined,
  scopes: scopes ?? [],
  set_domains: domains !== undefined,
  domains: domains ?? [],
  set_networks: networks !== undefined,
  networks: networks ?? [],
  set_recipients: recipients !== undefined,
  recipients: recipients ?? [],
})

const readUpdateKey = ({
  expires_at,
  set_scopes,
  scopes,
  set_domains,
  domains,
  set_networks,
  networks,
  set_recipients,
  recipients,
  ...request
}: UpdateKeyMessage): UpdateKeyRequest => ({
  ...request,
  ...(expires_at !== undefined && { expires_at: readExpiry(expires_at) }),
  ...(set_scopes && { scopes }),
  ...(set_domains && { domains }),
  ...(set_networks && { networks }),
  ...(set_recipients && { recipients }),
})

type RedactionMessage = { redacted_at: string; erasure: string; fields: string[] }

type ControlsMessage = Parameters<AccountsRpc['SetWorkspaceControls']>[0]

const controlsMessage = ({ rate, burst, ...rest }: WorkspaceControls): ControlsMessage => ({
  ...rest,
  ...(rate !== undefined && { rate: overrideText(rate) }),
  ...(burst !== undefined && { burst: overrideText(burst) }),
})

const readControls = ({ rate, burst, ...rest }: ControlsMessage): WorkspaceControls => ({
  ...rest,
  ...(rate !== undefined && { rate: readOverride(rate) }),
  ...(burst !== undefined && { burst: readOverride(burst) }),
})

const auditEntryMessage = ({ created_at, before, after, redactions, ...entry }: ShownAuditEntry): AuditLineMessage => ({
  ...entry,
  created_at: isoTime(created_at),
  before_json: stateText(before),
  after_json: stateText(after),
  redactions_json: redactions === undefined ? '' : JSON.stringify(redactions.map(redactionMessage)),
})

const redactionMessage = ({ at, erasure, fields }: Redaction): RedactionMessage => ({
  redacted_at: isoTime(at),
  erasure,
  fields: [...fields],
})

const stateText = (state: AuditState | null): string => (state === null ? '' : JSON.stringify(state))

const readAuditEntry = ({
  created_at,
  before_json,
  after_json,
  redactions_json,
  ...entry
}: AuditLineMessage): ShownAuditEntry => ({
  ...entry,
  created_at: Date.parse(created_at),
  before: readState(before_json),
  after: readState(after_json),
  ...(redactions_json !== '' && { redactions: readRedactions(redactions_json) }),
})

const readState = (text: string): AuditState | null => (text === '' ? null : JSON.parse(text))

const readRedactions = (text: string): Redaction[] =>
  (JSON.parse(text) as RedactionMessage[]).map(({ redacted_at, erasure, fields }) => ({
    at: Date.parse(redacted_at),
    erasure,
    fields,
  }))
