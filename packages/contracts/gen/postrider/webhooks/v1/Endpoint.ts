// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { ReplayState as _postrider_webhooks_v1_ReplayState, ReplayState__Output as _postrider_webhooks_v1_ReplayState__Output } from '../../../postrider/webhooks/v1/ReplayState.ts';

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
  'replay'?: (_postrider_webhooks_v1_ReplayState | null);
  '_disabled_reason'?: "disabled_reason";
  '_failing_since'?: "failing_since";
  '_replay'?: "replay";
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
  'replay'?: (_postrider_webhooks_v1_ReplayState__Output | null);
}
