// Original file: protos/postrider/quota/v1/quota.proto

import type { InvoiceLine as _postrider_quota_v1_InvoiceLine, InvoiceLine__Output as _postrider_quota_v1_InvoiceLine__Output } from '../../../postrider/quota/v1/InvoiceLine.ts';

export interface PlanPreview {
  'effect'?: (string);
  'begins_at'?: (string);
  'lines'?: (_postrider_quota_v1_InvoiceLine)[];
  'total_usd'?: (string);
  'due_usd'?: (string);
  'monthly'?: (number | string);
  'daily'?: (number | string);
  '_begins_at'?: "begins_at";
  '_monthly'?: "monthly";
  '_daily'?: "daily";
}

export interface PlanPreview__Output {
  'effect': (string);
  'begins_at'?: (string);
  'lines': (_postrider_quota_v1_InvoiceLine__Output)[];
  'total_usd': (string);
  'due_usd': (string);
  'monthly'?: (number);
  'daily'?: (number);
}
