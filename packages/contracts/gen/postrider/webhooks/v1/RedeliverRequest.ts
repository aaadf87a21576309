// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface RedeliverRequest {
  'workspace'?: (string);
  'id'?: (string);
  'delivery'?: (string);
  'mode'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface RedeliverRequest__Output {
  'workspace': (string);
  'id': (string);
  'delivery': (string);
  'mode': (string);
  'actor': (string);
  'client_address'?: (string);
}
