// Original file: protos/postrider/templates/v1/templates.proto


export interface RestoreRequest {
  'workspace'?: (string);
  'id'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  'version'?: (number);
}

export interface RestoreRequest__Output {
  'workspace': (string);
  'id': (string);
  'actor': (string);
  'client_address': (string);
  'version': (number);
}
