import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AcceptInvitationRequest as _postrider_accounts_v1_AcceptInvitationRequest, AcceptInvitationRequest__Output as _postrider_accounts_v1_AcceptInvitationRequest__Output } from './postrider/accounts/v1/AcceptInvitationRequest.ts';
import type { AccountsClient as _postrider_accounts_v1_AccountsClient, AccountsDefinition as _postrider_accounts_v1_AccountsDefinition } from './postrider/accounts/v1/Accounts.ts';
import type { AddOperatorRequest as _postrider_accounts_v1_AddOperatorRequest, AddOperatorRequest__Output as _postrider_accounts_v1_AddOperatorRequest__Output } from './postrider/accounts/v1/AddOperatorRequest.ts';
import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from './postrider/accounts/v1/ApiKey.ts';
import type { AuditLine as _postrider_accounts_v1_AuditLine, AuditLine__Output as _postrider_accounts_v1_AuditLine__Output } from './postrider/accounts/v1/AuditLine.ts';
import type { AuditList as _postrider_accounts_v1_AuditList, AuditList__Output as _postrider_accounts_v1_AuditList__Output } from './postrider/accounts/v1/AuditList.ts';
import type { AuthenticateKeyRequest as _postrider_accounts_v1_AuthenticateKeyRequest, AuthenticateKeyRequest__Output as _postrider_accounts_v1_AuthenticateKeyRequest__Output } from './postrider/accounts/v1/AuthenticateKeyRequest.ts';
import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from './postrider/accounts/v1/Caller.ts';
import type { ChangeEmailRequest as _postrider_accounts_v1_ChangeEmailRequest, ChangeEmailRequest__Output as _postrider_accounts_v1_ChangeEmailRequest__Output } from './postrider/accounts/v1/ChangeEmailRequest.ts';
import type { ChangeMemberRequest as _postrider_accounts_v1_ChangeMemberRequest, ChangeMemberRequest__Output as _postrider_accounts_v1_ChangeMemberRequest__Output } from './postrider/accounts/v1/ChangeMemberRequest.ts';
import type { ChangePasswordRequest as _postrider_accounts_v1_ChangePasswordRequest, ChangePasswordRequest__Output as _postrider_accounts_v1_ChangePasswordRequest__Output } from './postrider/accounts/v1/ChangePasswordRequest.ts';
import type { CreateKeyRequest as _postrider_accounts_v1_CreateKeyRequest, CreateKeyRequest__Output as _postrider_accounts_v1_CreateKeyRequest__Output } from './postrider/accounts/v1/CreateKeyRequest.ts';
import type { CreateWorkspaceRequest as _postrider_accounts_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _postrider_accounts_v1_CreateWorkspaceRequest__Output } from './postrider/accounts/v1/CreateWorkspaceRequest.ts';
import type { CreatedKey as _postrider_accounts_v1_CreatedKey, CreatedKey__Output as _postrider_accounts_v1_CreatedKey__Output } from './postrider/accounts/v1/CreatedKey.ts';
import type { DeleteOwnWorkspaceRequest as _postrider_accounts_v1_DeleteOwnWorkspaceRequest, DeleteOwnWorkspaceRequest__Output as _postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output } from './postrider/accounts/v1/DeleteOwnWorkspaceRequest.ts';
import type { Invitation as _postrider_accounts_v1_Invitation, Invitation__Output as _postrider_accounts_v1_Invitation__Output } from './postrider/accounts/v1/Invitation.ts';
import type { InvitationList as _postrider_accounts_v1_InvitationList, InvitationList__Output as _postrider_accounts_v1_InvitationList__Output } from './postrider/accounts/v1/InvitationList.ts';
import type { InvitationOffer as _postrider_accounts_v1_InvitationOffer, InvitationOffer__Output as _postrider_accounts_v1_InvitationOffer__Output } from './postrider/accounts/v1/InvitationOffer.ts';
import type { InvitationRequest as _postrider_accounts_v1_InvitationRequest, InvitationRequest__Output as _postrider_accounts_v1_InvitationRequest__Output } from './postrider/accounts/v1/InvitationRequest.ts';
import type { InviteRequest as _postrider_accounts_v1_InviteRequest, InviteRequest__Output as _postrider_accounts_v1_InviteRequest__Output } from './postrider/accounts/v1/InviteRequest.ts';
import type { KeyList as _postrider_accounts_v1_KeyList, KeyList__Output as _postrider_accounts_v1_KeyList__Output } from './postrider/accounts/v1/KeyList.ts';
import type { KeyRequest as _postrider_accounts_v1_KeyRequest, KeyRequest__Output as _postrider_accounts_v1_KeyRequest__Output } from './postrider/accounts/v1/KeyRequest.ts';
import type { LinkReply as _postrider_accounts_v1_LinkReply, LinkReply__Output as _postrider_accounts_v1_LinkReply__Output } from './postrider/accounts/v1/LinkReply.ts';
import type { LinkRequest as _postrider_accounts_v1_LinkRequest, LinkRequest__Output as _postrider_accounts_v1_LinkRequest__Output } from './postrider/accounts/v1/LinkRequest.ts';
import type { ListAuditRequest as _postrider_accounts_v1_ListAuditRequest, ListAuditRequest__Output as _postrider_accounts_v1_ListAuditRequest__Output } from './postrider/accounts/v1/ListAuditRequest.ts';
import type { ListUsersRequest as _postrider_accounts_v1_ListUsersRequest, ListUsersRequest__Output as _postrider_accounts_v1_ListUsersRequest__Output } from './postrider/accounts/v1/ListUsersRequest.ts';
import type { ListWorkspacesRequest as _postrider_accounts_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _postrider_accounts_v1_ListWorkspacesRequest__Output } from './postrider/accounts/v1/ListWorkspacesRequest.ts';
import type { LogInRequest as _postrider_accounts_v1_LogInRequest, LogInRequest__Output as _postrider_accounts_v1_LogInRequest__Output } from './postrider/accounts/v1/LogInRequest.ts';
import type { Member as _postrider_accounts_v1_Member, Member__Output as _postrider_accounts_v1_Member__Output } from './postrider/accounts/v1/Member.ts';
import type { MemberList as _postrider_accounts_v1_MemberList, MemberList__Output as _postrider_accounts_v1_MemberList__Output } from './postrider/accounts/v1/MemberList.ts';
import type { MemberRequest as _postrider_accounts_v1_MemberRequest, MemberRequest__Output as _postrider_accounts_v1_MemberRequest__Output } from './postrider/accounts/v1/MemberRequest.ts';
import type { Nothing as _postrider_accounts_v1_Nothing, Nothing__Output as _postrider_accounts_v1_Nothing__Output } from './postrider/accounts/v1/Nothing.ts';
import type { NotificationPreferences as _postrider_accounts_v1_NotificationPreferences, NotificationPreferences__Output as _postrider_accounts_v1_NotificationPreferences__Output } from './postrider/accounts/v1/NotificationPreferences.ts';
import type { NotificationsChange as _postrider_accounts_v1_NotificationsChange, NotificationsChange__Output as _postrider_accounts_v1_NotificationsChange__Output } from './postrider/accounts/v1/NotificationsChange.ts';
import type { OperatorList as _postrider_accounts_v1_OperatorList, OperatorList__Output as _postrider_accounts_v1_OperatorList__Output } from './postrider/accounts/v1/OperatorList.ts';
import type { OperatorRequest as _postrider_accounts_v1_OperatorRequest, OperatorRequest__Output as _postrider_accounts_v1_OperatorRequest__Output } from './postrider/accounts/v1/OperatorRequest.ts';
import type { OperatorState as _postrider_accounts_v1_OperatorState, OperatorState__Output as _postrider_accounts_v1_OperatorState__Output } from './postrider/accounts/v1/OperatorState.ts';
import type { OwnWorkspace as _postrider_accounts_v1_OwnWorkspace, OwnWorkspace__Output as _postrider_accounts_v1_OwnWorkspace__Output } from './postrider/accounts/v1/OwnWorkspace.ts';
import type { OwnWorkspaceList as _postrider_accounts_v1_OwnWorkspaceList, OwnWorkspaceList__Output as _postrider_accounts_v1_OwnWorkspaceList__Output } from './postrider/accounts/v1/OwnWorkspaceList.ts';
import type { OwnWorkspacesRequest as _postrider_accounts_v1_OwnWorkspacesRequest, OwnWorkspacesRequest__Output as _postrider_accounts_v1_OwnWorkspacesRequest__Output } from './postrider/accounts/v1/OwnWorkspacesRequest.ts';
import type { PasswordResetRequest as _postrider_accounts_v1_PasswordResetRequest, PasswordResetRequest__Output as _postrider_accounts_v1_PasswordResetRequest__Output } from './postrider/accounts/v1/PasswordResetRequest.ts';
import type { ReadInvitationRequest as _postrider_accounts_v1_ReadInvitationRequest, ReadInvitationRequest__Output as _postrider_accounts_v1_ReadInvitationRequest__Output } from './postrider/accounts/v1/ReadInvitationRequest.ts';
import type { ResetPasswordRequest as _postrider_accounts_v1_ResetPasswordRequest, ResetPasswordRequest__Output as _postrider_accounts_v1_ResetPasswordRequest__Output } from './postrider/accounts/v1/ResetPasswordRequest.ts';
import type { RevokeSessionRequest as _postrider_accounts_v1_RevokeSessionRequest, RevokeSessionRequest__Output as _postrider_accounts_v1_RevokeSessionRequest__Output } from './postrider/accounts/v1/RevokeSessionRequest.ts';
import type { RevokedSessions as _postrider_accounts_v1_RevokedSessions, RevokedSessions__Output as _postrider_accounts_v1_RevokedSessions__Output } from './postrider/accounts/v1/RevokedSessions.ts';
import type { RollKeyRequest as _postrider_accounts_v1_RollKeyRequest, RollKeyRequest__Output as _postrider_accounts_v1_RollKeyRequest__Output } from './postrider/accounts/v1/RollKeyRequest.ts';
import type { SessionInfo as _postrider_accounts_v1_SessionInfo, SessionInfo__Output as _postrider_accounts_v1_SessionInfo__Output } from './postrider/accounts/v1/SessionInfo.ts';
import type { SessionList as _postrider_accounts_v1_SessionList, SessionList__Output as _postrider_accounts_v1_SessionList__Output } from './postrider/accounts/v1/SessionList.ts';
import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from './postrider/accounts/v1/SessionReply.ts';
import type { SessionRequest as _postrider_accounts_v1_SessionRequest, SessionRequest__Output as _postrider_accounts_v1_SessionRequest__Output } from './postrider/accounts/v1/SessionRequest.ts';
import type { SignInRequest as _postrider_accounts_v1_SignInRequest, SignInRequest__Output as _postrider_accounts_v1_SignInRequest__Output } from './postrider/accounts/v1/SignInRequest.ts';
import type { SignUpRequest as _postrider_accounts_v1_SignUpRequest, SignUpRequest__Output as _postrider_accounts_v1_SignUpRequest__Output } from './postrider/accounts/v1/SignUpRequest.ts';
import type { SwitchWorkspaceRequest as _postrider_accounts_v1_SwitchWorkspaceRequest, SwitchWorkspaceRequest__Output as _postrider_accounts_v1_SwitchWorkspaceRequest__Output } from './postrider/accounts/v1/SwitchWorkspaceRequest.ts';
import type { TotpCodeRequest as _postrider_accounts_v1_TotpCodeRequest, TotpCodeRequest__Output as _postrider_accounts_v1_TotpCodeRequest__Output } from './postrider/accounts/v1/TotpCodeRequest.ts';
import type { TotpEnabled as _postrider_accounts_v1_TotpEnabled, TotpEnabled__Output as _postrider_accounts_v1_TotpEnabled__Output } from './postrider/accounts/v1/TotpEnabled.ts';
import type { TotpSecret as _postrider_accounts_v1_TotpSecret, TotpSecret__Output as _postrider_accounts_v1_TotpSecret__Output } from './postrider/accounts/v1/TotpSecret.ts';
import type { UpdateKeyRequest as _postrider_accounts_v1_UpdateKeyRequest, UpdateKeyRequest__Output as _postrider_accounts_v1_UpdateKeyRequest__Output } from './postrider/accounts/v1/UpdateKeyRequest.ts';
import type { UpdateWorkspaceRequest as _postrider_accounts_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _postrider_accounts_v1_UpdateWorkspaceRequest__Output } from './postrider/accounts/v1/UpdateWorkspaceRequest.ts';
import type { UserControls as _postrider_accounts_v1_UserControls, UserControls__Output as _postrider_accounts_v1_UserControls__Output } from './postrider/accounts/v1/UserControls.ts';
import type { UserList as _postrider_accounts_v1_UserList, UserList__Output as _postrider_accounts_v1_UserList__Output } from './postrider/accounts/v1/UserList.ts';
import type { UserRequest as _postrider_accounts_v1_UserRequest, UserRequest__Output as _postrider_accounts_v1_UserRequest__Output } from './postrider/accounts/v1/UserRequest.ts';
import type { UserState as _postrider_accounts_v1_UserState, UserState__Output as _postrider_accounts_v1_UserState__Output } from './postrider/accounts/v1/UserState.ts';
import type { UserWorkspace as _postrider_accounts_v1_UserWorkspace, UserWorkspace__Output as _postrider_accounts_v1_UserWorkspace__Output } from './postrider/accounts/v1/UserWorkspace.ts';
import type { Workspace as _postrider_accounts_v1_Workspace, Workspace__Output as _postrider_accounts_v1_Workspace__Output } from './postrider/accounts/v1/Workspace.ts';
import type { WorkspaceControls as _postrider_accounts_v1_WorkspaceControls, WorkspaceControls__Output as _postrider_accounts_v1_WorkspaceControls__Output } from './postrider/accounts/v1/WorkspaceControls.ts';
import type { WorkspaceList as _postrider_accounts_v1_WorkspaceList, WorkspaceList__Output as _postrider_accounts_v1_WorkspaceList__Output } from './postrider/accounts/v1/WorkspaceList.ts';
import type { WorkspaceRequest as _postrider_accounts_v1_WorkspaceRequest, WorkspaceRequest__Output as _postrider_accounts_v1_WorkspaceRequest__Output } from './postrider/accounts/v1/WorkspaceRequest.ts';
import type { Address as _postrider_intake_v1_Address, Address__Output as _postrider_intake_v1_Address__Output } from './postrider/intake/v1/Address.ts';
import type { Arrival as _postrider_intake_v1_Arrival, Arrival__Output as _postrider_intake_v1_Arrival__Output } from './postrider/intake/v1/Arrival.ts';
import type { Attachment as _postrider_intake_v1_Attachment, Attachment__Output as _postrider_intake_v1_Attachment__Output } from './postrider/intake/v1/Attachment.ts';
import type { BatchMail as _postrider_intake_v1_BatchMail, BatchMail__Output as _postrider_intake_v1_BatchMail__Output } from './postrider/intake/v1/BatchMail.ts';
import type { BatchRefusal as _postrider_intake_v1_BatchRefusal, BatchRefusal__Output as _postrider_intake_v1_BatchRefusal__Output } from './postrider/intake/v1/BatchRefusal.ts';
import type { Captured as _postrider_intake_v1_Captured, Captured__Output as _postrider_intake_v1_Captured__Output } from './postrider/intake/v1/Captured.ts';
import type { CapturedReply as _postrider_intake_v1_CapturedReply, CapturedReply__Output as _postrider_intake_v1_CapturedReply__Output } from './postrider/intake/v1/CapturedReply.ts';
import type { CheckReply as _postrider_intake_v1_CheckReply, CheckReply__Output as _postrider_intake_v1_CheckReply__Output } from './postrider/intake/v1/CheckReply.ts';
import type { CheckRequest as _postrider_intake_v1_CheckRequest, CheckRequest__Output as _postrider_intake_v1_CheckRequest__Output } from './postrider/intake/v1/CheckRequest.ts';
import type { ContentAttachment as _postrider_intake_v1_ContentAttachment, ContentAttachment__Output as _postrider_intake_v1_ContentAttachment__Output } from './postrider/intake/v1/ContentAttachment.ts';
import type { ContentReply as _postrider_intake_v1_ContentReply, ContentReply__Output as _postrider_intake_v1_ContentReply__Output } from './postrider/intake/v1/ContentReply.ts';
import type { CountDispatchersRequest as _postrider_intake_v1_CountDispatchersRequest, CountDispatchersRequest__Output as _postrider_intake_v1_CountDispatchersRequest__Output } from './postrider/intake/v1/CountDispatchersRequest.ts';
import type { CreateErasureRequest as _postrider_intake_v1_CreateErasureRequest, CreateErasureRequest__Output as _postrider_intake_v1_CreateErasureRequest__Output } from './postrider/intake/v1/CreateErasureRequest.ts';
import type { Dispatchers as _postrider_intake_v1_Dispatchers, Dispatchers__Output as _postrider_intake_v1_Dispatchers__Output } from './postrider/intake/v1/Dispatchers.ts';
import type { EmailReply as _postrider_intake_v1_EmailReply, EmailReply__Output as _postrider_intake_v1_EmailReply__Output } from './postrider/intake/v1/EmailReply.ts';
import type { EmailRequest as _postrider_intake_v1_EmailRequest, EmailRequest__Output as _postrider_intake_v1_EmailRequest__Output } from './postrider/intake/v1/EmailRequest.ts';
import type { Erasure as _postrider_intake_v1_Erasure, Erasure__Output as _postrider_intake_v1_Erasure__Output } from './postrider/intake/v1/Erasure.ts';
import type { ErasureRequest as _postrider_intake_v1_ErasureRequest, ErasureRequest__Output as _postrider_intake_v1_ErasureRequest__Output } from './postrider/intake/v1/ErasureRequest.ts';
import type { GetCapturedRequest as _postrider_intake_v1_GetCapturedRequest, GetCapturedRequest__Output as _postrider_intake_v1_GetCapturedRequest__Output } from './postrider/intake/v1/GetCapturedRequest.ts';
import type { IntakeClient as _postrider_intake_v1_IntakeClient, IntakeDefinition as _postrider_intake_v1_IntakeDefinition } from './postrider/intake/v1/Intake.ts';
import type { LaneDispatchers as _postrider_intake_v1_LaneDispatchers, LaneDispatchers__Output as _postrider_intake_v1_LaneDispatchers__Output } from './postrider/intake/v1/LaneDispatchers.ts';
import type { ListCapturedReply as _postrider_intake_v1_ListCapturedReply, ListCapturedReply__Output as _postrider_intake_v1_ListCapturedReply__Output } from './postrider/intake/v1/ListCapturedReply.ts';
import type { ListCapturedRequest as _postrider_intake_v1_ListCapturedRequest, ListCapturedRequest__Output as _postrider_intake_v1_ListCapturedRequest__Output } from './postrider/intake/v1/ListCapturedRequest.ts';
import type { ListEmailsReply as _postrider_intake_v1_ListEmailsReply, ListEmailsReply__Output as _postrider_intake_v1_ListEmailsReply__Output } from './postrider/intake/v1/ListEmailsReply.ts';
import type { ListEmailsRequest as _postrider_intake_v1_ListEmailsRequest, ListEmailsRequest__Output as _postrider_intake_v1_ListEmailsRequest__Output } from './postrider/intake/v1/ListEmailsRequest.ts';
import type { ListEventsReply as _postrider_intake_v1_ListEventsReply, ListEventsReply__Output as _postrider_intake_v1_ListEventsReply__Output } from './postrider/intake/v1/ListEventsReply.ts';
import type { ListEventsRequest as _postrider_intake_v1_ListEventsRequest, ListEventsRequest__Output as _postrider_intake_v1_ListEventsRequest__Output } from './postrider/intake/v1/ListEventsRequest.ts';
import type { ListParkedReply as _postrider_intake_v1_ListParkedReply, ListParkedReply__Output as _postrider_intake_v1_ListParkedReply__Output } from './postrider/intake/v1/ListParkedReply.ts';
import type { ListParkedRequest as _postrider_intake_v1_ListParkedRequest, ListParkedRequest__Output as _postrider_intake_v1_ListParkedRequest__Output } from './postrider/intake/v1/ListParkedRequest.ts';
import type { Mail as _postrider_intake_v1_Mail, Mail__Output as _postrider_intake_v1_Mail__Output } from './postrider/intake/v1/Mail.ts';
import type { MoveTestClockRequest as _postrider_intake_v1_MoveTestClockRequest, MoveTestClockRequest__Output as _postrider_intake_v1_MoveTestClockRequest__Output } from './postrider/intake/v1/MoveTestClockRequest.ts';
import type { ParkedEmail as _postrider_intake_v1_ParkedEmail, ParkedEmail__Output as _postrider_intake_v1_ParkedEmail__Output } from './postrider/intake/v1/ParkedEmail.ts';
import type { ParkedRequest as _postrider_intake_v1_ParkedRequest, ParkedRequest__Output as _postrider_intake_v1_ParkedRequest__Output } from './postrider/intake/v1/ParkedRequest.ts';
import type { Problem as _postrider_intake_v1_Problem, Problem__Output as _postrider_intake_v1_Problem__Output } from './postrider/intake/v1/Problem.ts';
import type { QueueDestination as _postrider_intake_v1_QueueDestination, QueueDestination__Output as _postrider_intake_v1_QueueDestination__Output } from './postrider/intake/v1/QueueDestination.ts';
import type { QueueLane as _postrider_intake_v1_QueueLane, QueueLane__Output as _postrider_intake_v1_QueueLane__Output } from './postrider/intake/v1/QueueLane.ts';
import type { Queues as _postrider_intake_v1_Queues, Queues__Output as _postrider_intake_v1_Queues__Output } from './postrider/intake/v1/Queues.ts';
import type { QueuesRequest as _postrider_intake_v1_QueuesRequest, QueuesRequest__Output as _postrider_intake_v1_QueuesRequest__Output } from './postrider/intake/v1/QueuesRequest.ts';
import type { QuotaStanding as _postrider_intake_v1_QuotaStanding, QuotaStanding__Output as _postrider_intake_v1_QuotaStanding__Output } from './postrider/intake/v1/QuotaStanding.ts';
import type { RawReply as _postrider_intake_v1_RawReply, RawReply__Output as _postrider_intake_v1_RawReply__Output } from './postrider/intake/v1/RawReply.ts';
import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from './postrider/intake/v1/Reader.ts';
import type { RescheduleRequest as _postrider_intake_v1_RescheduleRequest, RescheduleRequest__Output as _postrider_intake_v1_RescheduleRequest__Output } from './postrider/intake/v1/RescheduleRequest.ts';
import type { ResolveRequest as _postrider_intake_v1_ResolveRequest, ResolveRequest__Output as _postrider_intake_v1_ResolveRequest__Output } from './postrider/intake/v1/ResolveRequest.ts';
import type { RetentionClass as _postrider_intake_v1_RetentionClass, RetentionClass__Output as _postrider_intake_v1_RetentionClass__Output } from './postrider/intake/v1/RetentionClass.ts';
import type { RetentionReply as _postrider_intake_v1_RetentionReply, RetentionReply__Output as _postrider_intake_v1_RetentionReply__Output } from './postrider/intake/v1/RetentionReply.ts';
import type { RetentionRequest as _postrider_intake_v1_RetentionRequest, RetentionRequest__Output as _postrider_intake_v1_RetentionRequest__Output } from './postrider/intake/v1/RetentionRequest.ts';
import type { StageBatchReply as _postrider_intake_v1_StageBatchReply, StageBatchReply__Output as _postrider_intake_v1_StageBatchReply__Output } from './postrider/intake/v1/StageBatchReply.ts';
import type { StageBatchRequest as _postrider_intake_v1_StageBatchRequest, StageBatchRequest__Output as _postrider_intake_v1_StageBatchRequest__Output } from './postrider/intake/v1/StageBatchRequest.ts';
import type { StagedBatch as _postrider_intake_v1_StagedBatch, StagedBatch__Output as _postrider_intake_v1_StagedBatch__Output } from './postrider/intake/v1/StagedBatch.ts';
import type { StatsReply as _postrider_intake_v1_StatsReply, StatsReply__Output as _postrider_intake_v1_StatsReply__Output } from './postrider/intake/v1/StatsReply.ts';
import type { StatsRequest as _postrider_intake_v1_StatsRequest, StatsRequest__Output as _postrider_intake_v1_StatsRequest__Output } from './postrider/intake/v1/StatsRequest.ts';
import type { SubmitBatchRequest as _postrider_intake_v1_SubmitBatchRequest, SubmitBatchRequest__Output as _postrider_intake_v1_SubmitBatchRequest__Output } from './postrider/intake/v1/SubmitBatchRequest.ts';
import type { SubmitReply as _postrider_intake_v1_SubmitReply, SubmitReply__Output as _postrider_intake_v1_SubmitReply__Output } from './postrider/intake/v1/SubmitReply.ts';
import type { SubmitRequest as _postrider_intake_v1_SubmitRequest, SubmitRequest__Output as _postrider_intake_v1_SubmitRequest__Output } from './postrider/intake/v1/SubmitRequest.ts';
import type { SystemMailReply as _postrider_intake_v1_SystemMailReply, SystemMailReply__Output as _postrider_intake_v1_SystemMailReply__Output } from './postrider/intake/v1/SystemMailReply.ts';
import type { SystemMailRequest as _postrider_intake_v1_SystemMailRequest, SystemMailRequest__Output as _postrider_intake_v1_SystemMailRequest__Output } from './postrider/intake/v1/SystemMailRequest.ts';
import type { TestClock as _postrider_intake_v1_TestClock, TestClock__Output as _postrider_intake_v1_TestClock__Output } from './postrider/intake/v1/TestClock.ts';
import type { TestClockRequest as _postrider_intake_v1_TestClockRequest, TestClockRequest__Output as _postrider_intake_v1_TestClockRequest__Output } from './postrider/intake/v1/TestClockRequest.ts';
import type { ValidateReply as _postrider_intake_v1_ValidateReply, ValidateReply__Output as _postrider_intake_v1_ValidateReply__Output } from './postrider/intake/v1/ValidateReply.ts';
import type { ValidateRequest as _postrider_intake_v1_ValidateRequest, ValidateRequest__Output as _postrider_intake_v1_ValidateRequest__Output } from './postrider/intake/v1/ValidateRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    accounts: {
      v1: {
        AcceptInvitationRequest: MessageTypeDefinition<_postrider_accounts_v1_AcceptInvitationRequest, _postrider_accounts_v1_AcceptInvitationRequest__Output>
        Accounts: SubtypeConstructor<typeof grpc.Client, _postrider_accounts_v1_AccountsClient> & { service: _postrider_accounts_v1_AccountsDefinition }
        AddOperatorRequest: MessageTypeDefinition<_postrider_accounts_v1_AddOperatorRequest, _postrider_accounts_v1_AddOperatorRequest__Output>
        ApiKey: MessageTypeDefinition<_postrider_accounts_v1_ApiKey, _postrider_accounts_v1_ApiKey__Output>
        AuditLine: MessageTypeDefinition<_postrider_accounts_v1_AuditLine, _postrider_accounts_v1_AuditLine__Output>
        AuditList: MessageTypeDefinition<_postrider_accounts_v1_AuditList, _postrider_accounts_v1_AuditList__Output>
        AuthenticateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_AuthenticateKeyRequest, _postrider_accounts_v1_AuthenticateKeyRequest__Output>
        Caller: MessageTypeDefinition<_postrider_accounts_v1_Caller, _postrider_accounts_v1_Caller__Output>
        ChangeEmailRequest: MessageTypeDefinition<_postrider_accounts_v1_ChangeEmailRequest, _postrider_accounts_v1_ChangeEmailRequest__Output>
        ChangeMemberRequest: MessageTypeDefinition<_postrider_accounts_v1_ChangeMemberRequest, _postrider_accounts_v1_ChangeMemberRequest__Output>
        ChangePasswordRequest: MessageTypeDefinition<_postrider_accounts_v1_ChangePasswordRequest, _postrider_accounts_v1_ChangePasswordRequest__Output>
        CreateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_CreateKeyRequest, _postrider_accounts_v1_CreateKeyRequest__Output>
        CreateWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_CreateWorkspaceRequest, _postrider_accounts_v1_CreateWorkspaceRequest__Output>
        CreatedKey: MessageTypeDefinition<_postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_CreatedKey__Output>
        DeleteOwnWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_DeleteOwnWorkspaceRequest, _postrider_accounts_v1_DeleteOwnWorkspaceRequest__Output>
        Invitation: MessageTypeDefinition<_postrider_accounts_v1_Invitation, _postrider_accounts_v1_Invitation__Output>
        InvitationList: MessageTypeDefinition<_postrider_accounts_v1_InvitationList, _postrider_accounts_v1_InvitationList__Output>
        InvitationOffer: MessageTypeDefinition<_postrider_accounts_v1_InvitationOffer, _postrider_accounts_v1_InvitationOffer__Output>
        InvitationRequest: MessageTypeDefinition<_postrider_accounts_v1_InvitationRequest, _postrider_accounts_v1_InvitationRequest__Output>
        InviteRequest: MessageTypeDefinition<_postrider_accounts_v1_InviteRequest, _postrider_accounts_v1_InviteRequest__Output>
        KeyList: MessageTypeDefinition<_postrider_accounts_v1_KeyList, _postrider_accounts_v1_KeyList__Output>
        KeyRequest: MessageTypeDefinition<_postrider_accounts_v1_KeyRequest, _postrider_accounts_v1_KeyRequest__Output>
        LinkReply: MessageTypeDefinition<_postrider_accounts_v1_LinkReply, _postrider_accounts_v1_LinkReply__Output>
        LinkRequest: MessageTypeDefinition<_postrider_accounts_v1_LinkRequest, _postrider_accounts_v1_LinkRequest__Output>
        ListAuditRequest: MessageTypeDefinition<_postrider_accounts_v1_ListAuditRequest, _postrider_accounts_v1_ListAuditRequest__Output>
        ListUsersRequest: MessageTypeDefinition<_postrider_accounts_v1_ListUsersRequest, _postrider_accounts_v1_ListUsersRequest__Output>
        ListWorkspacesRequest: MessageTypeDefinition<_postrider_accounts_v1_ListWorkspacesRequest, _postrider_accounts_v1_ListWorkspacesRequest__Output>
        LogInRequest: MessageTypeDefinition<_postrider_accounts_v1_LogInRequest, _postrider_accounts_v1_LogInRequest__Output>
        Member: MessageTypeDefinition<_postrider_accounts_v1_Member, _postrider_accounts_v1_Member__Output>
        MemberList: MessageTypeDefinition<_postrider_accounts_v1_MemberList, _postrider_accounts_v1_MemberList__Output>
        MemberRequest: MessageTypeDefinition<_postrider_accounts_v1_MemberRequest, _postrider_accounts_v1_MemberRequest__Output>
        Nothing: MessageTypeDefinition<_postrider_accounts_v1_Nothing, _postrider_accounts_v1_Nothing__Output>
        NotificationPreferences: MessageTypeDefinition<_postrider_accounts_v1_NotificationPreferences, _postrider_accounts_v1_NotificationPreferences__Output>
        NotificationsChange: MessageTypeDefinition<_postrider_accounts_v1_NotificationsChange, _postrider_accounts_v1_NotificationsChange__Output>
        OperatorList: MessageTypeDefinition<_postrider_accounts_v1_OperatorList, _postrider_accounts_v1_OperatorList__Output>
        OperatorRequest: MessageTypeDefinition<_postrider_accounts_v1_OperatorRequest, _postrider_accounts_v1_OperatorRequest__Output>
        OperatorState: MessageTypeDefinition<_postrider_accounts_v1_OperatorState, _postrider_accounts_v1_OperatorState__Output>
        OwnWorkspace: MessageTypeDefinition<_postrider_accounts_v1_OwnWorkspace, _postrider_accounts_v1_OwnWorkspace__Output>
        OwnWorkspaceList: MessageTypeDefinition<_postrider_accounts_v1_OwnWorkspaceList, _postrider_accounts_v1_OwnWorkspaceList__Output>
        OwnWorkspacesRequest: MessageTypeDefinition<_postrider_accounts_v1_OwnWorkspacesRequest, _postrider_accounts_v1_OwnWorkspacesRequest__Output>
        PasswordResetRequest: MessageTypeDefinition<_postrider_accounts_v1_PasswordResetRequest, _postrider_accounts_v1_PasswordResetRequest__Output>
        ReadInvitationRequest: MessageTypeDefinition<_postrider_accounts_v1_ReadInvitationRequest, _postrider_accounts_v1_ReadInvitationRequest__Output>
        ResetPasswordRequest: MessageTypeDefinition<_postrider_accounts_v1_ResetPasswordRequest, _postrider_accounts_v1_ResetPasswordRequest__Output>
        RevokeSessionRequest: MessageTypeDefinition<_postrider_accounts_v1_RevokeSessionRequest, _postrider_accounts_v1_RevokeSessionRequest__Output>
        RevokedSessions: MessageTypeDefinition<_postrider_accounts_v1_RevokedSessions, _postrider_accounts_v1_RevokedSessions__Output>
        RollKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_RollKeyRequest, _postrider_accounts_v1_RollKeyRequest__Output>
        SessionInfo: MessageTypeDefinition<_postrider_accounts_v1_SessionInfo, _postrider_accounts_v1_SessionInfo__Output>
        SessionList: MessageTypeDefinition<_postrider_accounts_v1_SessionList, _postrider_accounts_v1_SessionList__Output>
        SessionReply: MessageTypeDefinition<_postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SessionReply__Output>
        SessionRequest: MessageTypeDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionRequest__Output>
        SignInRequest: MessageTypeDefinition<_postrider_accounts_v1_SignInRequest, _postrider_accounts_v1_SignInRequest__Output>
        SignUpRequest: MessageTypeDefinition<_postrider_accounts_v1_SignUpRequest, _postrider_accounts_v1_SignUpRequest__Output>
        SwitchWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_SwitchWorkspaceRequest, _postrider_accounts_v1_SwitchWorkspaceRequest__Output>
        TotpCodeRequest: MessageTypeDefinition<_postrider_accounts_v1_TotpCodeRequest, _postrider_accounts_v1_TotpCodeRequest__Output>
        TotpEnabled: MessageTypeDefinition<_postrider_accounts_v1_TotpEnabled, _postrider_accounts_v1_TotpEnabled__Output>
        TotpSecret: MessageTypeDefinition<_postrider_accounts_v1_TotpSecret, _postrider_accounts_v1_TotpSecret__Output>
        UpdateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateKeyRequest, _postrider_accounts_v1_UpdateKeyRequest__Output>
        UpdateWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateWorkspaceRequest, _postrider_accounts_v1_UpdateWorkspaceRequest__Output>
        UserControls: MessageTypeDefinition<_postrider_accounts_v1_UserControls, _postrider_accounts_v1_UserControls__Output>
        UserList: MessageTypeDefinition<_postrider_accounts_v1_UserList, _postrider_accounts_v1_UserList__Output>
        UserRequest: MessageTypeDefinition<_postrider_accounts_v1_UserRequest, _postrider_accounts_v1_UserRequest__Output>
        UserState: MessageTypeDefinition<_postrider_accounts_v1_UserState, _postrider_accounts_v1_UserState__Output>
        UserWorkspace: MessageTypeDefinition<_postrider_accounts_v1_UserWorkspace, _postrider_accounts_v1_UserWorkspace__Output>
        Workspace: MessageTypeDefinition<_postrider_accounts_v1_Workspace, _postrider_accounts_v1_Workspace__Output>
        WorkspaceControls: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceControls, _postrider_accounts_v1_WorkspaceControls__Output>
        WorkspaceList: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceList, _postrider_accounts_v1_WorkspaceList__Output>
        WorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_WorkspaceRequest__Output>
      }
    }
    intake: {
      v1: {
        Address: MessageTypeDefinition<_postrider_intake_v1_Address, _postrider_intake_v1_Address__Output>
        Arrival: MessageTypeDefinition<_postrider_intake_v1_Arrival, _postrider_intake_v1_Arrival__Output>
        Attachment: MessageTypeDefinition<_postrider_intake_v1_Attachment, _postrider_intake_v1_Attachment__Output>
        BatchMail: MessageTypeDefinition<_postrider_intake_v1_BatchMail, _postrider_intake_v1_BatchMail__Output>
        BatchRefusal: MessageTypeDefinition<_postrider_intake_v1_BatchRefusal, _postrider_intake_v1_BatchRefusal__Output>
        Captured: MessageTypeDefinition<_postrider_intake_v1_Captured, _postrider_intake_v1_Captured__Output>
        CapturedReply: MessageTypeDefinition<_postrider_intake_v1_CapturedReply, _postrider_intake_v1_CapturedReply__Output>
        CheckReply: MessageTypeDefinition<_postrider_intake_v1_CheckReply, _postrider_intake_v1_CheckReply__Output>
        CheckRequest: MessageTypeDefinition<_postrider_intake_v1_CheckRequest, _postrider_intake_v1_CheckRequest__Output>
        ContentAttachment: MessageTypeDefinition<_postrider_intake_v1_ContentAttachment, _postrider_intake_v1_ContentAttachment__Output>
        ContentReply: MessageTypeDefinition<_postrider_intake_v1_ContentReply, _postrider_intake_v1_ContentReply__Output>
        CountDispatchersRequest: MessageTypeDefinition<_postrider_intake_v1_CountDispatchersRequest, _postrider_intake_v1_CountDispatchersRequest__Output>
        CreateErasureRequest: MessageTypeDefinition<_postrider_intake_v1_CreateErasureRequest, _postrider_intake_v1_CreateErasureRequest__Output>
        Dispatchers: MessageTypeDefinition<_postrider_intake_v1_Dispatchers, _postrider_intake_v1_Dispatchers__Output>
        EmailReply: MessageTypeDefinition<_postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailReply__Output>
        EmailRequest: MessageTypeDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailRequest__Output>
        Erasure: MessageTypeDefinition<_postrider_intake_v1_Erasure, _postrider_intake_v1_Erasure__Output>
        ErasureRequest: MessageTypeDefinition<_postrider_intake_v1_ErasureRequest, _postrider_intake_v1_ErasureRequest__Output>
        GetCapturedRequest: MessageTypeDefinition<_postrider_intake_v1_GetCapturedRequest, _postrider_intake_v1_GetCapturedRequest__Output>
        Intake: SubtypeConstructor<typeof grpc.Client, _postrider_intake_v1_IntakeClient> & { service: _postrider_intake_v1_IntakeDefinition }
        LaneDispatchers: MessageTypeDefinition<_postrider_intake_v1_LaneDispatchers, _postrider_intake_v1_LaneDispatchers__Output>
        ListCapturedReply: MessageTypeDefinition<_postrider_intake_v1_ListCapturedReply, _postrider_intake_v1_ListCapturedReply__Output>
        ListCapturedRequest: MessageTypeDefinition<_postrider_intake_v1_ListCapturedRequest, _postrider_intake_v1_ListCapturedRequest__Output>
        ListEmailsReply: MessageTypeDefinition<_postrider_intake_v1_ListEmailsReply, _postrider_intake_v1_ListEmailsReply__Output>
        ListEmailsRequest: MessageTypeDefinition<_postrider_intake_v1_ListEmailsRequest, _postrider_intake_v1_ListEmailsRequest__Output>
        ListEventsReply: MessageTypeDefinition<_postrider_intake_v1_ListEventsReply, _postrider_intake_v1_ListEventsReply__Output>
        ListEventsRequest: MessageTypeDefinition<_postrider_intake_v1_ListEventsRequest, _postrider_intake_v1_ListEventsRequest__Output>
        ListParkedReply: MessageTypeDefinition<_postrider_intake_v1_ListParkedReply, _postrider_intake_v1_ListParkedReply__Output>
        ListParkedRequest: MessageTypeDefinition<_postrider_intake_v1_ListParkedRequest, _postrider_intake_v1_ListParkedRequest__Output>
        Mail: MessageTypeDefinition<_postrider_intake_v1_Mail, _postrider_intake_v1_Mail__Output>
        MoveTestClockRequest: MessageTypeDefinition<_postrider_intake_v1_MoveTestClockRequest, _postrider_intake_v1_MoveTestClockRequest__Output>
        ParkedEmail: MessageTypeDefinition<_postrider_intake_v1_ParkedEmail, _postrider_intake_v1_ParkedEmail__Output>
        ParkedRequest: MessageTypeDefinition<_postrider_intake_v1_ParkedRequest, _postrider_intake_v1_ParkedRequest__Output>
        Problem: MessageTypeDefinition<_postrider_intake_v1_Problem, _postrider_intake_v1_Problem__Output>
        QueueDestination: MessageTypeDefinition<_postrider_intake_v1_QueueDestination, _postrider_intake_v1_QueueDestination__Output>
        QueueLane: MessageTypeDefinition<_postrider_intake_v1_QueueLane, _postrider_intake_v1_QueueLane__Output>
        Queues: MessageTypeDefinition<_postrider_intake_v1_Queues, _postrider_intake_v1_Queues__Output>
        QueuesRequest: MessageTypeDefinition<_postrider_intake_v1_QueuesRequest, _postrider_intake_v1_QueuesRequest__Output>
        QuotaStanding: MessageTypeDefinition<_postrider_intake_v1_QuotaStanding, _postrider_intake_v1_QuotaStanding__Output>
        RawReply: MessageTypeDefinition<_postrider_intake_v1_RawReply, _postrider_intake_v1_RawReply__Output>
        Reader: MessageTypeDefinition<_postrider_intake_v1_Reader, _postrider_intake_v1_Reader__Output>
        RescheduleRequest: MessageTypeDefinition<_postrider_intake_v1_RescheduleRequest, _postrider_intake_v1_RescheduleRequest__Output>
        ResolveRequest: MessageTypeDefinition<_postrider_intake_v1_ResolveRequest, _postrider_intake_v1_ResolveRequest__Output>
        RetentionClass: MessageTypeDefinition<_postrider_intake_v1_RetentionClass, _postrider_intake_v1_RetentionClass__Output>
        RetentionReply: MessageTypeDefinition<_postrider_intake_v1_RetentionReply, _postrider_intake_v1_RetentionReply__Output>
        RetentionRequest: MessageTypeDefinition<_postrider_intake_v1_RetentionRequest, _postrider_intake_v1_RetentionRequest__Output>
        StageBatchReply: MessageTypeDefinition<_postrider_intake_v1_StageBatchReply, _postrider_intake_v1_StageBatchReply__Output>
        StageBatchRequest: MessageTypeDefinition<_postrider_intake_v1_StageBatchRequest, _postrider_intake_v1_StageBatchRequest__Output>
        StagedBatch: MessageTypeDefinition<_postrider_intake_v1_StagedBatch, _postrider_intake_v1_StagedBatch__Output>
        StatsReply: MessageTypeDefinition<_postrider_intake_v1_StatsReply, _postrider_intake_v1_StatsReply__Output>
        StatsRequest: MessageTypeDefinition<_postrider_intake_v1_StatsRequest, _postrider_intake_v1_StatsRequest__Output>
        SubmitBatchRequest: MessageTypeDefinition<_postrider_intake_v1_SubmitBatchRequest, _postrider_intake_v1_SubmitBatchRequest__Output>
        SubmitReply: MessageTypeDefinition<_postrider_intake_v1_SubmitReply, _postrider_intake_v1_SubmitReply__Output>
        SubmitRequest: MessageTypeDefinition<_postrider_intake_v1_SubmitRequest, _postrider_intake_v1_SubmitRequest__Output>
        SystemMailReply: MessageTypeDefinition<_postrider_intake_v1_SystemMailReply, _postrider_intake_v1_SystemMailReply__Output>
        SystemMailRequest: MessageTypeDefinition<_postrider_intake_v1_SystemMailRequest, _postrider_intake_v1_SystemMailRequest__Output>
        TestClock: MessageTypeDefinition<_postrider_intake_v1_TestClock, _postrider_intake_v1_TestClock__Output>
        TestClockRequest: MessageTypeDefinition<_postrider_intake_v1_TestClockRequest, _postrider_intake_v1_TestClockRequest__Output>
        ValidateReply: MessageTypeDefinition<_postrider_intake_v1_ValidateReply, _postrider_intake_v1_ValidateReply__Output>
        ValidateRequest: MessageTypeDefinition<_postrider_intake_v1_ValidateRequest, _postrider_intake_v1_ValidateRequest__Output>
      }
    }
  }
}

