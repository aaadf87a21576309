// Original file: protos/postrider/intake/v1/intake.proto


export interface CreateErasureRequest {
  'workspace'?: (string);
  'address'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
}

export interface CreateErasureRequest__Output {
  'workspace': (string);
  'address': (string);
  'actor': (string);
  'client_address': (string);
}
