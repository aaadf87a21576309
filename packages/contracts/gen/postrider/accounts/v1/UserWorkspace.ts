// Original file: protos/postrider/accounts/v1/accounts.proto


export interface UserWorkspace {
  'id'?: (string);
  'name'?: (string);
  'role'?: (string);
}

export interface UserWorkspace__Output {
  'id': (string);
  'name': (string);
  'role': (string);
}
