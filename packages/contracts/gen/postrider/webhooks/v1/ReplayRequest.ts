// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface ReplayRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
  'from'?: (string);
  'to'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface ReplayRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
  'from': (string);
  'to': (string);
  'actor': (string);
  'client_address'?: (string);
}
