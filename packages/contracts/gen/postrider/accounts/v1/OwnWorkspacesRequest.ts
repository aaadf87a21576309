// Original file: protos/postrider/accounts/v1/accounts.proto


export interface OwnWorkspacesRequest {
  'user'?: (string);
}

export interface OwnWorkspacesRequest__Output {
  'user': (string);
}
