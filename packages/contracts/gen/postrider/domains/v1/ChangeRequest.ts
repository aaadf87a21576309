// Original file: protos/postrider/domains/v1/domains.proto


export interface ChangeRequest {
  'workspace'?: (string);
  'id'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface ChangeRequest__Output {
  'workspace': (string);
  'id': (string);
  'actor': (string);
  'client_address'?: (string);
}
