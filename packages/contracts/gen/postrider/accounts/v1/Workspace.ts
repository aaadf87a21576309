// Original file: protos/postrider/accounts/v1/accounts.proto


export interface Workspace {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'sender_name'?: (string);
  'postal_address'?: (string);
  'on_unknown'?: (string);
  'retention'?: (string);
  'spending_cap_usd'?: (number | string);
  'suspended'?: (boolean);
  'note'?: (string);
  'rate'?: (number | string);
  'burst'?: (number);
  'created_at'?: (string);
  'require_totp'?: (boolean);
  'suspended_reason'?: (string);
  'deletes_at'?: (string);
  '_spending_cap_usd'?: "spending_cap_usd";
  '_rate'?: "rate";
  '_burst'?: "burst";
  '_require_totp'?: "require_totp";
}

export interface Workspace__Output {
  'id': (string);
  'name': (string);
  'plan': (string);
  'sender_name': (string);
  'postal_address': (string);
  'on_unknown': (string);
  'retention': (string);
  'spending_cap_usd'?: (number);
  'suspended': (boolean);
  'note': (string);
  'rate'?: (number);
  'burst'?: (number);
  'created_at': (string);
  'require_totp'?: (boolean);
  'suspended_reason': (string);
  'deletes_at': (string);
}
