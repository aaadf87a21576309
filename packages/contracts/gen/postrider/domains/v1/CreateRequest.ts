// Original file: protos/postrider/domains/v1/domains.proto


export interface CreateRequest {
  'workspace'?: (string);
  'name'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface CreateRequest__Output {
  'workspace': (string);
  'name': (string);
  'actor': (string);
  'client_address'?: (string);
}
