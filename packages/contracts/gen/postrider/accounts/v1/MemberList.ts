// Original file: protos/postrider/accounts/v1/accounts.proto

import type { Member as _postrider_accounts_v1_Member, Member__Output as _postrider_accounts_v1_Member__Output } from '../../../postrider/accounts/v1/Member.ts';

export interface MemberList {
  'members'?: (_postrider_accounts_v1_Member)[];
}

export interface MemberList__Output {
  'members': (_postrider_accounts_v1_Member__Output)[];
}
