// Original file: protos/postrider/accounts/v1/accounts.proto


export interface WorkspaceRequest {
  'workspace'?: (string);
  'client_address'?: (string);
  'operator'?: (string);
  '_client_address'?: "client_address";
  '_operator'?: "operator";
}

export interface WorkspaceRequest__Output {
  'workspace': (string);
  'client_address'?: (string);
  'operator'?: (string);
}
