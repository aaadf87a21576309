// Original file: protos/postrider/accounts/v1/accounts.proto


export interface SwitchWorkspaceRequest {
  'token'?: (string);
  'workspace'?: (string);
  'client_address'?: (string);
}

export interface SwitchWorkspaceRequest__Output {
  'token': (string);
  'workspace': (string);
  'client_address': (string);
}
