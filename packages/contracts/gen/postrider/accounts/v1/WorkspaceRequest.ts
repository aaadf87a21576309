// Original file: protos/postrider/accounts/v1/accounts.proto


export interface WorkspaceRequest {
  'workspace'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface WorkspaceRequest__Output {
  'workspace': (string);
  'client_address'?: (string);
}
