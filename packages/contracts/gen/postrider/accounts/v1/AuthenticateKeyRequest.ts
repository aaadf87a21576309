// Original file: protos/postrider/accounts/v1/accounts.proto


export interface AuthenticateKeyRequest {
  'hash'?: (Buffer | Uint8Array | string);
  'client_address'?: (string);
}

export interface AuthenticateKeyRequest__Output {
  'hash': (Buffer);
  'client_address': (string);
}
