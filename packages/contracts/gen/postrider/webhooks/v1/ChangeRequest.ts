// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface ChangeRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface ChangeRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
  'actor': (string);
  'client_address'?: (string);
}
