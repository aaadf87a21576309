// Original file: protos/postrider/accounts/v1/accounts.proto


export interface Caller {
  'workspace'?: (string);
  'key_id'?: (string);
  'user_id'?: (string);
  'role'?: (string);
  'mode'?: (string);
  'scopes'?: (string)[];
  'sender_name'?: (string);
  'has_postal_address'?: (boolean);
  'on_unknown'?: (string);
  'suspended'?: (boolean);
  'rate'?: (number | string);
  'burst'?: (number);
  'domains'?: (string)[];
  'needs_totp'?: (boolean);
  'recipients'?: (string)[];
  'key_family'?: (string);
  'suspended_reason'?: (string);
  'deletes_at'?: (string);
  'retention'?: (string);
  '_rate'?: "rate";
  '_burst'?: "burst";
  '_needs_totp'?: "needs_totp";
  '_retention'?: "retention";
}

export interface Caller__Output {
  'workspace': (string);
  'key_id': (string);
  'user_id': (string);
  'role': (string);
  'mode': (string);
  'scopes': (string)[];
  'sender_name': (string);
  'has_postal_address': (boolean);
  'on_unknown': (string);
  'suspended': (boolean);
  'rate'?: (number);
  'burst'?: (number);
  'domains': (string)[];
  'needs_totp'?: (boolean);
  'recipients': (string)[];
  'key_family': (string);
  'suspended_reason': (string);
  'deletes_at': (string);
  'retention'?: (string);
}
