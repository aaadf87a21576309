// Original file: protos/postrider/accounts/v1/accounts.proto


export interface DeleteOwnWorkspaceRequest {
  'workspace'?: (string);
  'user'?: (string);
  'password'?: (string);
  'client_address'?: (string);
}

export interface DeleteOwnWorkspaceRequest__Output {
  'workspace': (string);
  'user': (string);
  'password': (string);
  'client_address': (string);
}
