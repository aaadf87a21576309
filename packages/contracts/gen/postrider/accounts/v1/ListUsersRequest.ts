// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ListUsersRequest {
  'limit'?: (number);
  'before'?: (string);
  'query'?: (string);
  'disabled'?: (boolean);
  '_disabled'?: "disabled";
}

export interface ListUsersRequest__Output {
  'limit': (number);
  'before': (string);
  'query': (string);
  'disabled'?: (boolean);
}
