// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Delivery as _postrider_webhooks_v1_Delivery, Delivery__Output as _postrider_webhooks_v1_Delivery__Output } from '../../../postrider/webhooks/v1/Delivery.ts';

export interface ListDeliveriesReply {
  'deliveries'?: (_postrider_webhooks_v1_Delivery)[];
  'has_more'?: (boolean);
}

export interface ListDeliveriesReply__Output {
  'deliveries': (_postrider_webhooks_v1_Delivery__Output)[];
  'has_more': (boolean);
}
