// Original file: protos/postrider/quota/v1/quota.proto

import type { Meter as _postrider_quota_v1_Meter, Meter__Output as _postrider_quota_v1_Meter__Output } from '../../../postrider/quota/v1/Meter.ts';
import type { Limits as _postrider_quota_v1_Limits, Limits__Output as _postrider_quota_v1_Limits__Output } from '../../../postrider/quota/v1/Limits.ts';
import type { Day as _postrider_quota_v1_Day, Day__Output as _postrider_quota_v1_Day__Output } from '../../../postrider/quota/v1/Day.ts';

export interface Usage {
  'plan'?: (string);
  'period_start'?: (string);
  'period_end'?: (string);
  'monthly'?: (_postrider_quota_v1_Meter | null);
  'daily'?: (_postrider_quota_v1_Meter | null);
  'daily_resets_at'?: (string);
  'overage_allowed'?: (boolean);
  'overage_sends'?: (number | string);
  'overage_blocks'?: (number | string);
  'overage_amount_usd'?: (string);
  'overage_cap_usd'?: (string);
  'overrides'?: (_postrider_quota_v1_Limits | null);
  'history'?: (_postrider_quota_v1_Day)[];
  'pending_plan'?: (string);
  'changes_at'?: (string);
  '_overage_cap_usd'?: "overage_cap_usd";
  '_pending_plan'?: "pending_plan";
  '_changes_at'?: "changes_at";
}

export interface Usage__Output {
  'plan': (string);
  'period_start': (string);
  'period_end': (string);
  'monthly': (_postrider_quota_v1_Meter__Output | null);
  'daily': (_postrider_quota_v1_Meter__Output | null);
  'daily_resets_at': (string);
  'overage_allowed': (boolean);
  'overage_sends': (number);
  'overage_blocks': (number);
  'overage_amount_usd': (string);
  'overage_cap_usd'?: (string);
  'overrides': (_postrider_quota_v1_Limits__Output | null);
  'history': (_postrider_quota_v1_Day__Output)[];
  'pending_plan'?: (string);
  'changes_at'?: (string);
}
