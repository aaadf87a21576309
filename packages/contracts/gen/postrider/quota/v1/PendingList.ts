// Original file: protos/postrider/quota/v1/quota.proto

import type { CommitRequest as _postrider_quota_v1_CommitRequest, CommitRequest__Output as _postrider_quota_v1_CommitRequest__Output } from '../../../postrider/quota/v1/CommitRequest.ts';

export interface PendingList {
  'pending'?: (_postrider_quota_v1_CommitRequest)[];
}

export interface PendingList__Output {
  'pending': (_postrider_quota_v1_CommitRequest__Output)[];
}
