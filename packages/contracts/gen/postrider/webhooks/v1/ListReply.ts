// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Endpoint as _postrider_webhooks_v1_Endpoint, Endpoint__Output as _postrider_webhooks_v1_Endpoint__Output } from '../../../postrider/webhooks/v1/Endpoint.ts';

export interface ListReply {
  'endpoints'?: (_postrider_webhooks_v1_Endpoint)[];
  'has_more'?: (boolean);
}

export interface ListReply__Output {
  'endpoints': (_postrider_webhooks_v1_Endpoint__Output)[];
  'has_more': (boolean);
}
