// Original file: protos/postrider/templates/v1/templates.proto


export interface DeleteRequest {
  'workspace'?: (string);
  'id'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
}

export interface DeleteRequest__Output {
  'workspace': (string);
  'id': (string);
  'actor': (string);
  'client_address': (string);
}
