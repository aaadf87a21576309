// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Events as _postrider_webhooks_v1_Events, Events__Output as _postrider_webhooks_v1_Events__Output } from '../../../postrider/webhooks/v1/Events.ts';

export interface UpdateRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
  'actor'?: (string);
  'url'?: (string);
  'events'?: (_postrider_webhooks_v1_Events | null);
  'description'?: (string);
  'enabled'?: (boolean);
  'client_address'?: (string);
  '_url'?: "url";
  '_events'?: "events";
  '_description'?: "description";
  '_enabled'?: "enabled";
  '_client_address'?: "client_address";
}

export interface UpdateRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
  'actor': (string);
  'url'?: (string);
  'events'?: (_postrider_webhooks_v1_Events__Output | null);
  'description'?: (string);
  'enabled'?: (boolean);
  'client_address'?: (string);
}
