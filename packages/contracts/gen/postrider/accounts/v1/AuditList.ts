// Original file: protos/postrider/accounts/v1/accounts.proto

import type { AuditLine as _postrider_accounts_v1_AuditLine, AuditLine__Output as _postrider_accounts_v1_AuditLine__Output } from '../../../postrider/accounts/v1/AuditLine.ts';

export interface AuditList {
  'lines'?: (_postrider_accounts_v1_AuditLine)[];
  'has_more'?: (boolean);
  'last_position'?: (string);
}

export interface AuditList__Output {
  'lines': (_postrider_accounts_v1_AuditLine__Output)[];
  'has_more': (boolean);
  'last_position': (string);
}
