// Original file: protos/postrider/accounts/v1/accounts.proto


export interface CreateKeyRequest {
  'workspace'?: (string);
  'user'?: (string);
  'name'?: (string);
  'scopes'?: (string)[];
  'mode'?: (string);
  'expires_at'?: (string);
  'domains'?: (string)[];
  'networks'?: (string)[];
  'client_address'?: (string);
  'recipients'?: (string)[];
  '_client_address'?: "client_address";
}

export interface CreateKeyRequest__Output {
  'workspace': (string);
  'user': (string);
  'name': (string);
  'scopes': (string)[];
  'mode': (string);
  'expires_at': (string);
  'domains': (string)[];
  'networks': (string)[];
  'client_address'?: (string);
  'recipients': (string)[];
}
