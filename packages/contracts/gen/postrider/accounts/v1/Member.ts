// Original file: protos/postrider/accounts/v1/accounts.proto


export interface Member {
  'user'?: (string);
  'email'?: (string);
  'role'?: (string);
  'joined_at'?: (string);
  'last_seen_at'?: (string);
  'totp_enabled'?: (boolean);
}

export interface Member__Output {
  'user': (string);
  'email': (string);
  'role': (string);
  'joined_at': (string);
  'last_seen_at': (string);
  'totp_enabled': (boolean);
}
