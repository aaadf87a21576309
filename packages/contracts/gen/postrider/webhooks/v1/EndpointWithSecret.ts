// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Endpoint as _postrider_webhooks_v1_Endpoint, Endpoint__Output as _postrider_webhooks_v1_Endpoint__Output } from '../../../postrider/webhooks/v1/Endpoint.ts';

export interface EndpointWithSecret {
  'endpoint'?: (_postrider_webhooks_v1_Endpoint | null);
  'secret'?: (string);
}

export interface EndpointWithSecret__Output {
  'endpoint': (_postrider_webhooks_v1_Endpoint__Output | null);
  'secret': (string);
}
