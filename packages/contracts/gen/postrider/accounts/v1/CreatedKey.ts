// Original file: protos/postrider/accounts/v1/accounts.proto

import type { ApiKey as _postrider_accounts_v1_ApiKey, ApiKey__Output as _postrider_accounts_v1_ApiKey__Output } from '../../../postrider/accounts/v1/ApiKey.ts';

export interface CreatedKey {
  'key'?: (_postrider_accounts_v1_ApiKey | null);
  'secret'?: (string);
}

export interface CreatedKey__Output {
  'key': (_postrider_accounts_v1_ApiKey__Output | null);
  'secret': (string);
}
