// Original file: protos/postrider/quota/v1/quota.proto

import type { InvoiceLine as _postrider_quota_v1_InvoiceLine, InvoiceLine__Output as _postrider_quota_v1_InvoiceLine__Output } from '../../../postrider/quota/v1/InvoiceLine.ts';

export interface Invoice {
  'id'?: (string);
  'workspace'?: (string);
  'number'?: (string);
  'period_start'?: (string);
  'period_end'?: (string);
  'lines'?: (_postrider_quota_v1_InvoiceLine)[];
  'total_usd'?: (string);
  'status'?: (string);
  'issued_at'?: (string);
  'paid_at'?: (string);
  'reason'?: (string);
}

export interface Invoice__Output {
  'id': (string);
  'workspace': (string);
  'number': (string);
  'period_start': (string);
  'period_end': (string);
  'lines': (_postrider_quota_v1_InvoiceLine__Output)[];
  'total_usd': (string);
  'status': (string);
  'issued_at': (string);
  'paid_at': (string);
  'reason': (string);
}
