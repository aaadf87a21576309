// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Attempt as _postrider_webhooks_v1_Attempt, Attempt__Output as _postrider_webhooks_v1_Attempt__Output } from '../../../postrider/webhooks/v1/Attempt.ts';
import type { Request as _postrider_webhooks_v1_Request, Request__Output as _postrider_webhooks_v1_Request__Output } from '../../../postrider/webhooks/v1/Request.ts';

export interface Delivery {
  'id'?: (string);
  'endpoint'?: (string);
  'event_id'?: (string);
  'type'?: (string);
  'status'?: (string);
  'test'?: (boolean);
  'reason'?: (string);
  'attempts'?: (_postrider_webhooks_v1_Attempt)[];
  'next_at'?: (string);
  'created_at'?: (string);
  'request'?: (_postrider_webhooks_v1_Request | null);
  '_reason'?: "reason";
  '_next_at'?: "next_at";
  '_request'?: "request";
}

export interface Delivery__Output {
  'id': (string);
  'endpoint': (string);
  'event_id': (string);
  'type': (string);
  'status': (string);
  'test': (boolean);
  'reason'?: (string);
  'attempts': (_postrider_webhooks_v1_Attempt__Output)[];
  'next_at'?: (string);
  'created_at': (string);
  'request'?: (_postrider_webhooks_v1_Request__Output | null);
}
