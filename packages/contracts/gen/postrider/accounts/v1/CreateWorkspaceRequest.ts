// Original file: protos/postrider/accounts/v1/accounts.proto


export interface CreateWorkspaceRequest {
  'user'?: (string);
  'name'?: (string);
  'client_address'?: (string);
}

export interface CreateWorkspaceRequest__Output {
  'user': (string);
  'name': (string);
  'client_address': (string);
}
