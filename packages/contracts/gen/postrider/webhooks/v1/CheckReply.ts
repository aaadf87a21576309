// Original file: protos/postrider/webhooks/v1/webhooks.proto

import type { Problem as _postrider_webhooks_v1_Problem, Problem__Output as _postrider_webhooks_v1_Problem__Output } from '../../../postrider/webhooks/v1/Problem.ts';

export interface CheckReply {
  'problems'?: (_postrider_webhooks_v1_Problem)[];
}

export interface CheckReply__Output {
  'problems': (_postrider_webhooks_v1_Problem__Output)[];
}
