// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface Endpoint {
  'id'?: (string);
  'mode'?: (string);
  'url'?: (string);
  'events'?: (string)[];
  'description'?: (string);
  'enabled'?: (boolean);
  'disabled_reason'?: (string);
  'failing_since'?: (string);
  'created_at'?: (string);
  'updated_at'?: (string);
  'secrets_valid_until'?: (string)[];
  '_disabled_reason'?: "disabled_reason";
  '_failing_since'?: "failing_since";
}

export interface Endpoint__Output {
  'id': (string);
  'mode': (string);
  'url': (string);
  'events': (string)[];
  'description': (string);
  'enabled': (boolean);
  'disabled_reason'?: (string);
  'failing_since'?: (string);
  'created_at': (string);
  'updated_at': (string);
  'secrets_valid_until': (string)[];
}
