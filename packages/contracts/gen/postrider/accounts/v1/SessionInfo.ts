// Original file: protos/postrider/accounts/v1/accounts.proto


export interface SessionInfo {
  'id'?: (string);
  'created_at'?: (string);
  'last_used_at'?: (string);
  'device'?: (string);
  'address'?: (string);
  'current'?: (boolean);
}

export interface SessionInfo__Output {
  'id': (string);
  'created_at': (string);
  'last_used_at': (string);
  'device': (string);
  'address': (string);
  'current': (boolean);
}
