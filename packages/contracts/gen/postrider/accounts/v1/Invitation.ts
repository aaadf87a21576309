// Original file: protos/postrider/accounts/v1/accounts.proto


export interface Invitation {
  'id'?: (string);
  'email'?: (string);
  'role'?: (string);
  'invited_by'?: (string);
  'created_at'?: (string);
  'sent_at'?: (string);
  'expires_at'?: (string);
  'expired'?: (boolean);
}

export interface Invitation__Output {
  'id': (string);
  'email': (string);
  'role': (string);
  'invited_by': (string);
  'created_at': (string);
  'sent_at': (string);
  'expires_at': (string);
  'expired': (boolean);
}
