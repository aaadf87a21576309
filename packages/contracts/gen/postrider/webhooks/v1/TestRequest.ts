// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface TestRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
  'type'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface TestRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
  'type': (string);
  'actor': (string);
  'client_address'?: (string);
}
