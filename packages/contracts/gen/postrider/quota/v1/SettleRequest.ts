// Original file: protos/postrider/quota/v1/quota.proto

import type { CommitRequest as _postrider_quota_v1_CommitRequest, CommitRequest__Output as _postrider_quota_v1_CommitRequest__Output } from '../../../postrider/quota/v1/CommitRequest.ts';

export interface SettleRequest {
  'pending'?: (_postrider_quota_v1_CommitRequest | null);
  'there'?: (boolean);
}

export interface SettleRequest__Output {
  'pending': (_postrider_quota_v1_CommitRequest__Output | null);
  'there': (boolean);
}
