// Original file: protos/postrider/accounts/v1/accounts.proto


export interface RollKeyRequest {
  'workspace'?: (string);
  'user'?: (string);
  'id'?: (string);
  'overlap_ms'?: (number | string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface RollKeyRequest__Output {
  'workspace': (string);
  'user': (string);
  'id': (string);
  'overlap_ms': (number);
  'client_address'?: (string);
}
