// Original file: protos/postrider/quota/v1/quota.proto

import type { Invoice as _postrider_quota_v1_Invoice, Invoice__Output as _postrider_quota_v1_Invoice__Output } from '../../../postrider/quota/v1/Invoice.ts';

export interface InvoiceList {
  'invoices'?: (_postrider_quota_v1_Invoice)[];
}

export interface InvoiceList__Output {
  'invoices': (_postrider_quota_v1_Invoice__Output)[];
}
