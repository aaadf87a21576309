// Original file: protos/postrider/domains/v1/domains.proto


export interface UpdateRequest {
  'workspace'?: (string);
  'id'?: (string);
  'actor'?: (string);
  'subdomains'?: (boolean);
  'client_address'?: (string);
  '_subdomains'?: "subdomains";
  '_client_address'?: "client_address";
}

export interface UpdateRequest__Output {
  'workspace': (string);
  'id': (string);
  'actor': (string);
  'subdomains'?: (boolean);
  'client_address'?: (string);
}
