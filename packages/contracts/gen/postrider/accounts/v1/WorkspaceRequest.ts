// Original file: protos/postrider/accounts/v1/accounts.proto


export interface WorkspaceRequest {
  'workspace'?: (string);
}

export interface WorkspaceRequest__Output {
  'workspace': (string);
}
