// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ListWorkspacesRequest {
  'limit'?: (number);
  'before'?: (string);
  'query'?: (string);
  'plan'?: (string);
  'suspended'?: (boolean);
  'deleting'?: (boolean);
  '_suspended'?: "suspended";
  '_deleting'?: "deleting";
}

export interface ListWorkspacesRequest__Output {
  'limit': (number);
  'before': (string);
  'query': (string);
  'plan': (string);
  'suspended'?: (boolean);
  'deleting'?: (boolean);
}
