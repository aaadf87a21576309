// Original file: protos/postrider/accounts/v1/accounts.proto


export interface OwnWorkspace {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'role'?: (string);
  'created_at'?: (string);
}

export interface OwnWorkspace__Output {
  'id': (string);
  'name': (string);
  'plan': (string);
  'role': (string);
  'created_at': (string);
}
