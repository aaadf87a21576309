// Original file: protos/postrider/accounts/v1/accounts.proto


export interface ApiKey {
  'id'?: (string);
  'name'?: (string);
  'scopes'?: (string)[];
  'mode'?: (string);
  'prefix'?: (string);
  'last_four'?: (string);
  'created_at'?: (string);
  'expires_at'?: (string);
  'last_used_at'?: (string);
  'revoked_at'?: (string);
  'domains'?: (string)[];
  'networks'?: (string)[];
  'recipients'?: (string)[];
  'last_used_from'?: (string);
  'rolled_to'?: (string);
  'rolled_from'?: (string);
  'unused_since'?: (string);
}

export interface ApiKey__Output {
  'id': (string);
  'name': (string);
  'scopes': (string)[];
  'mode': (string);
  'prefix': (string);
  'last_four': (string);
  'created_at': (string);
  'expires_at': (string);
  'last_used_at': (string);
  'revoked_at': (string);
  'domains': (string)[];
  'networks': (string)[];
  'recipients': (string)[];
  'last_used_from': (string);
  'rolled_to': (string);
  'rolled_from': (string);
  'unused_since': (string);
}
