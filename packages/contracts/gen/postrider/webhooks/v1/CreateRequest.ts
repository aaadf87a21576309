// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface CreateRequest {
  'workspace'?: (string);
  'mode'?: (string);
  'url'?: (string);
  'events'?: (string)[];
  'description'?: (string);
  'enabled'?: (boolean);
  'actor'?: (string);
  'client_address'?: (string);
  '_client_address'?: "client_address";
}

export interface CreateRequest__Output {
  'workspace': (string);
  'mode': (string);
  'url': (string);
  'events': (string)[];
  'description': (string);
  'enabled': (boolean);
  'actor': (string);
  'client_address'?: (string);
}
