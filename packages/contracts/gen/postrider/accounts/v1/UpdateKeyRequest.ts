// Original file: protos/postrider/accounts/v1/accounts.proto


export interface UpdateKeyRequest {
  'workspace'?: (string);
  'user'?: (string);
  'id'?: (string);
  'name'?: (string);
  'expires_at'?: (string);
  'set_scopes'?: (boolean);
  'scopes'?: (string)[];
  'set_domains'?: (boolean);
  'domains'?: (string)[];
  'set_networks'?: (boolean);
  'networks'?: (string)[];
  'client_address'?: (string);
  'set_recipients'?: (boolean);
  'recipients'?: (string)[];
  '_name'?: "name";
  '_expires_at'?: "expires_at";
  '_client_address'?: "client_address";
}

export interface UpdateKeyRequest__Output {
  'workspace': (string);
  'user': (string);
  'id': (string);
  'name'?: (string);
  'expires_at'?: (string);
  'set_scopes': (boolean);
  'scopes': (string)[];
  'set_domains': (boolean);
  'domains': (string)[];
  'set_networks': (boolean);
  'networks': (string)[];
  'client_address'?: (string);
  'set_recipients': (boolean);
  'recipients': (string)[];
}
