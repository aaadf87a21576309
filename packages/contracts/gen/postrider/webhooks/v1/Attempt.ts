// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Response as _postrider_webhooks_v1_Response, Response__Output as _postrider_webhooks_v1_Response__Output } from '../../../postrider/webhooks/v1/Response.ts';

export interface Attempt {
  'at'?: (string);
  'status_code'?: (number);
  'duration_ms'?: (number);
  'error'?: (string);
  'response'?: (_postrider_webhooks_v1_Response | null);
  '_status_code'?: "status_code";
  '_error'?: "error";
  '_response'?: "response";
}

export interface Attempt__Output {
  'at': (string);
  'status_code'?: (number);
  'duration_ms': (number);
  'error'?: (string);
  'response'?: (_postrider_webhooks_v1_Response__Output | null);
}
