import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AccountsClient as _postrider_accounts_v1_AccountsClient, AccountsDefinition as _postrider_accounts_v1_AccountsDefinition } from './postrider/accounts/v1/Accounts.ts';
import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from './postrider/accounts/v1/ApiKey.ts';
import type { AuthenticateKeyRequest as _postrider_accounts_v1_AuthenticateKeyRequest, AuthenticateKeyRequest__Output as _postrider_accounts_v1_AuthenticateKeyRequest__Output } from './postrider/accounts/v1/AuthenticateKeyRequest.ts';
import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from './postrider/accounts/v1/Caller.ts';
import type { CreateKeyRequest as _postrider_accounts_v1_CreateKeyRequest, CreateKeyRequest__Output as _postrider_accounts_v1_CreateKeyRequest__Output } from './postrider/accounts/v1/CreateKeyRequest.ts';
import type { CreatedKey as _postrider_accounts_v1_CreatedKey, CreatedKey__Output as _postrider_accounts_v1_CreatedKey__Output } from './postrider/accounts/v1/CreatedKey.ts';
import type { KeyList as _postrider_accounts_v1_KeyList, KeyList__Output as _postrider_accounts_v1_KeyList__Output } from './postrider/accounts/v1/KeyList.ts';
import type { KeyRequest as _postrider_accounts_v1_KeyRequest, KeyRequest__Output as _postrider_accounts_v1_KeyRequest__Output } from './postrider/accounts/v1/KeyRequest.ts';
import type { ListWorkspacesRequest as _postrider_accounts_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _postrider_accounts_v1_ListWorkspacesRequest__Output } from './postrider/accounts/v1/ListWorkspacesRequest.ts';
import type { LogInRequest as _postrider_accounts_v1_LogInRequest, LogInRequest__Output as _postrider_accounts_v1_LogInRequest__Output } from './postrider/accounts/v1/LogInRequest.ts';
import type { Nothing as _postrider_accounts_v1_Nothing, Nothing__Output as _postrider_accounts_v1_Nothing__Output } from './postrider/accounts/v1/Nothing.ts';
import type { SessionReply as _postrider_accounts_v1_SessionReply, SessionReply__Output as _postrider_accounts_v1_SessionReply__Output } from './postrider/accounts/v1/SessionReply.ts';
import type { SessionRequest as _postrider_accounts_v1_SessionRequest, SessionRequest__Output as _postrider_accounts_v1_SessionRequest__Output } from './postrider/accounts/v1/SessionRequest.ts';
import type { SignUpRequest as _postrider_accounts_v1_SignUpRequest, SignUpRequest__Output as _postrider_accounts_v1_SignUpRequest__Output } from './postrider/accounts/v1/SignUpRequest.ts';
import type { UpdateKeyRequest as _postrider_accounts_v1_UpdateKeyRequest, UpdateKeyRequest__Output as _postrider_accounts_v1_UpdateKeyRequest__Output } from './postrider/accounts/v1/UpdateKeyRequest.ts';
import type { UpdateWorkspaceRequest as _postrider_accounts_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _postrider_accounts_v1_UpdateWorkspaceRequest__Output } from './postrider/accounts/v1/UpdateWorkspaceRequest.ts';
import type { Workspace as _postrider_accounts_v1_Workspace, Workspace__Output as _postrider_accounts_v1_Workspace__Output } from './postrider/accounts/v1/Workspace.ts';
import type { WorkspaceControls as _postrider_accounts_v1_WorkspaceControls, WorkspaceControls__Output as _postrider_accounts_v1_WorkspaceControls__Output } from './postrider/accounts/v1/WorkspaceControls.ts';
import type { WorkspaceList as _postrider_accounts_v1_WorkspaceList, WorkspaceList__Output as _postrider_accounts_v1_WorkspaceList__Output } from './postrider/accounts/v1/WorkspaceList.ts';
import type { WorkspaceRequest as _postrider_accounts_v1_WorkspaceRequest, WorkspaceRequest__Output as _postrider_accounts_v1_WorkspaceRequest__Output } from './postrider/accounts/v1/WorkspaceRequest.ts';
import type { Address as _postrider_intake_v1_Address, Address__Output as _postrider_intake_v1_Address__Output } from './postrider/intake/v1/Address.ts';
import type { Attachment as _postrider_intake_v1_Attachment, Attachment__Output as _postrider_intake_v1_Attachment__Output } from './postrider/intake/v1/Attachment.ts';
import type { Captured as _postrider_intake_v1_Captured, Captured__Output as _postrider_intake_v1_Captured__Output } from './postrider/intake/v1/Captured.ts';
import type { CapturedReply as _postrider_intake_v1_CapturedReply, CapturedReply__Output as _postrider_intake_v1_CapturedReply__Output } from './postrider/intake/v1/CapturedReply.ts';
import type { CheckReply as _postrider_intake_v1_CheckReply, CheckReply__Output as _postrider_intake_v1_CheckReply__Output } from './postrider/intake/v1/CheckReply.ts';
import type { CheckRequest as _postrider_intake_v1_CheckRequest, CheckRequest__Output as _postrider_intake_v1_CheckRequest__Output } from './postrider/intake/v1/CheckRequest.ts';
import type { EmailReply as _postrider_intake_v1_EmailReply, EmailReply__Output as _postrider_intake_v1_EmailReply__Output } from './postrider/intake/v1/EmailReply.ts';
import type { EmailRequest as _postrider_intake_v1_EmailRequest, EmailRequest__Output as _postrider_intake_v1_EmailRequest__Output } from './postrider/intake/v1/EmailRequest.ts';
import type { GetCapturedRequest as _postrider_intake_v1_GetCapturedRequest, GetCapturedRequest__Output as _postrider_intake_v1_GetCapturedRequest__Output } from './postrider/intake/v1/GetCapturedRequest.ts';
import type { IntakeClient as _postrider_intake_v1_IntakeClient, IntakeDefinition as _postrider_intake_v1_IntakeDefinition } from './postrider/intake/v1/Intake.ts';
import type { ListCapturedReply as _postrider_intake_v1_ListCapturedReply, ListCapturedReply__Output as _postrider_intake_v1_ListCapturedReply__Output } from './postrider/intake/v1/ListCapturedReply.ts';
import type { ListCapturedRequest as _postrider_intake_v1_ListCapturedRequest, ListCapturedRequest__Output as _postrider_intake_v1_ListCapturedRequest__Output } from './postrider/intake/v1/ListCapturedRequest.ts';
import type { ListEmailsReply as _postrider_intake_v1_ListEmailsReply, ListEmailsReply__Output as _postrider_intake_v1_ListEmailsReply__Output } from './postrider/intake/v1/ListEmailsReply.ts';
import type { ListEmailsRequest as _postrider_intake_v1_ListEmailsRequest, ListEmailsRequest__Output as _postrider_intake_v1_ListEmailsRequest__Output } from './postrider/intake/v1/ListEmailsRequest.ts';
import type { Mail as _postrider_intake_v1_Mail, Mail__Output as _postrider_intake_v1_Mail__Output } from './postrider/intake/v1/Mail.ts';
import type { Problem as _postrider_intake_v1_Problem, Problem__Output as _postrider_intake_v1_Problem__Output } from './postrider/intake/v1/Problem.ts';
import type { QuotaStanding as _postrider_intake_v1_QuotaStanding, QuotaStanding__Output as _postrider_intake_v1_QuotaStanding__Output } from './postrider/intake/v1/QuotaStanding.ts';
import type { RawReply as _postrider_intake_v1_RawReply, RawReply__Output as _postrider_intake_v1_RawReply__Output } from './postrider/intake/v1/RawReply.ts';
import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from './postrider/intake/v1/Reader.ts';
import type { ResolveRequest as _postrider_intake_v1_ResolveRequest, ResolveRequest__Output as _postrider_intake_v1_ResolveRequest__Output } from './postrider/intake/v1/ResolveRequest.ts';
import type { SubmitReply as _postrider_intake_v1_SubmitReply, SubmitReply__Output as _postrider_intake_v1_SubmitReply__Output } from './postrider/intake/v1/SubmitReply.ts';
import type { SubmitRequest as _postrider_intake_v1_SubmitRequest, SubmitRequest__Output as _postrider_intake_v1_SubmitRequest__Output } from './postrider/intake/v1/SubmitRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  postrider: {
    accounts: {
      v1: {
        Accounts: SubtypeConstructor<typeof grpc.Client, _postrider_accounts_v1_AccountsClient> & { service: _postrider_accounts_v1_AccountsDefinition }
        ApiKey: MessageTypeDefinition<_postrider_accounts_v1_ApiKey, _postrider_accounts_v1_ApiKey__Output>
        AuthenticateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_AuthenticateKeyRequest, _postrider_accounts_v1_AuthenticateKeyRequest__Output>
        Caller: MessageTypeDefinition<_postrider_accounts_v1_Caller, _postrider_accounts_v1_Caller__Output>
        CreateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_CreateKeyRequest, _postrider_accounts_v1_CreateKeyRequest__Output>
        CreatedKey: MessageTypeDefinition<_postrider_accounts_v1_CreatedKey, _postrider_accounts_v1_CreatedKey__Output>
        KeyList: MessageTypeDefinition<_postrider_accounts_v1_KeyList, _postrider_accounts_v1_KeyList__Output>
        KeyRequest: MessageTypeDefinition<_postrider_accounts_v1_KeyRequest, _postrider_accounts_v1_KeyRequest__Output>
        ListWorkspacesRequest: MessageTypeDefinition<_postrider_accounts_v1_ListWorkspacesRequest, _postrider_accounts_v1_ListWorkspacesRequest__Output>
        LogInRequest: MessageTypeDefinition<_postrider_accounts_v1_LogInRequest, _postrider_accounts_v1_LogInRequest__Output>
        Nothing: MessageTypeDefinition<_postrider_accounts_v1_Nothing, _postrider_accounts_v1_Nothing__Output>
        SessionReply: MessageTypeDefinition<_postrider_accounts_v1_SessionReply, _postrider_accounts_v1_SessionReply__Output>
        SessionRequest: MessageTypeDefinition<_postrider_accounts_v1_SessionRequest, _postrider_accounts_v1_SessionRequest__Output>
        SignUpRequest: MessageTypeDefinition<_postrider_accounts_v1_SignUpRequest, _postrider_accounts_v1_SignUpRequest__Output>
        UpdateKeyRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateKeyRequest, _postrider_accounts_v1_UpdateKeyRequest__Output>
        UpdateWorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_UpdateWorkspaceRequest, _postrider_accounts_v1_UpdateWorkspaceRequest__Output>
        Workspace: MessageTypeDefinition<_postrider_accounts_v1_Workspace, _postrider_accounts_v1_Workspace__Output>
        WorkspaceControls: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceControls, _postrider_accounts_v1_WorkspaceControls__Output>
        WorkspaceList: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceList, _postrider_accounts_v1_WorkspaceList__Output>
        WorkspaceRequest: MessageTypeDefinition<_postrider_accounts_v1_WorkspaceRequest, _postrider_accounts_v1_WorkspaceRequest__Output>
      }
    }
    intake: {
      v1: {
        Address: MessageTypeDefinition<_postrider_intake_v1_Address, _postrider_intake_v1_Address__Output>
        Attachment: MessageTypeDefinition<_postrider_intake_v1_Attachment, _postrider_intake_v1_Attachment__Output>
        Captured: MessageTypeDefinition<_postrider_intake_v1_Captured, _postrider_intake_v1_Captured__Output>
        CapturedReply: MessageTypeDefinition<_postrider_intake_v1_CapturedReply, _postrider_intake_v1_CapturedReply__Output>
        CheckReply: MessageTypeDefinition<_postrider_intake_v1_CheckReply, _postrider_intake_v1_CheckReply__Output>
        CheckRequest: MessageTypeDefinition<_postrider_intake_v1_CheckRequest, _postrider_intake_v1_CheckRequest__Output>
        EmailReply: MessageTypeDefinition<_postrider_intake_v1_EmailReply, _postrider_intake_v1_EmailReply__Output>
        EmailRequest: MessageTypeDefinition<_postrider_intake_v1_EmailRequest, _postrider_intake_v1_EmailRequest__Output>
        GetCapturedRequest: MessageTypeDefinition<_postrider_intake_v1_GetCapturedRequest, _postrider_intake_v1_GetCapturedRequest__Output>
        Intake: SubtypeConstructor<typeof grpc.Client, _postrider_intake_v1_IntakeClient> & { service: _postrider_intake_v1_IntakeDefinition }
        ListCapturedReply: MessageTypeDefinition<_postrider_intake_v1_ListCapturedReply, _postrider_intake_v1_ListCapturedReply__Output>
        ListCapturedRequest: MessageTypeDefinition<_postrider_intake_v1_ListCapturedRequest, _postrider_intake_v1_ListCapturedRequest__Output>
        ListEmailsReply: MessageTypeDefinition<_postrider_intake_v1_ListEmailsReply, _postrider_intake_v1_ListEmailsReply__Output>
        ListEmailsRequest: MessageTypeDefinition<_postrider_intake_v1_ListEmailsRequest, _postrider_intake_v1_ListEmailsRequest__Output>
        Mail: MessageTypeDefinition<_postrider_intake_v1_Mail, _postrider_intake_v1_Mail__Output>
        Problem: MessageTypeDefinition<_postrider_intake_v1_Problem, _postrider_intake_v1_Problem__Output>
        QuotaStanding: MessageTypeDefinition<_postrider_intake_v1_QuotaStanding, _postrider_intake_v1_QuotaStanding__Output>
        RawReply: MessageTypeDefinition<_postrider_intake_v1_RawReply, _postrider_intake_v1_RawReply__Output>
        Reader: MessageTypeDefinition<_postrider_intake_v1_Reader, _postrider_intake_v1_Reader__Output>
        ResolveRequest: MessageTypeDefinition<_postrider_intake_v1_ResolveRequest, _postrider_intake_v1_ResolveRequest__Output>
        SubmitReply: MessageTypeDefinition<_postrider_intake_v1_SubmitReply, _postrider_intake_v1_SubmitReply__Output>
        SubmitRequest: MessageTypeDefinition<_postrider_intake_v1_SubmitRequest, _postrider_intake_v1_SubmitRequest__Output>
      }
    }
  }
}

