// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ListWorkspacesRequest {
  'limit'?: (number);
  'before'?: (string);
}

export interface ListWorkspacesRequest__Output {
  'limit': (number);
  'before': (string);
}
