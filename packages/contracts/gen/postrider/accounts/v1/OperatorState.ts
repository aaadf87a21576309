// Original file: protos/postrider/accounts/v1/accounts.proto


export interface OperatorState {
  'id'?: (string);
  'email'?: (string);
  'totp_enabled'?: (boolean);
  'disabled'?: (boolean);
  'last_seen_at'?: (string);
  'since'?: (string);
}

export interface OperatorState__Output {
  'id': (string);
  'email': (string);
  'totp_enabled': (boolean);
  'disabled': (boolean);
  'last_seen_at': (string);
  'since': (string);
}
