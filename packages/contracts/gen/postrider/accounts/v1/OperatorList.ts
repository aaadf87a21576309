// Original file: protos/postrider/accounts/v1/accounts.proto

import type { OperatorState as _postrider_accounts_v1_OperatorState, OperatorState__Output as _postrider_accounts_v1_OperatorState__Output } from '../../../postrider/accounts/v1/OperatorState.ts';

export interface OperatorList {
  'operators'?: (_postrider_accounts_v1_OperatorState)[];
}

export interface OperatorList__Output {
  'operators': (_postrider_accounts_v1_OperatorState__Output)[];
}
