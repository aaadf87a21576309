// Original file: protos/postrider/domains/v1/domains.proto

import type { Domain as _postrider_domains_v1_Domain, Domain__Output as _postrider_domains_v1_Domain__Output } from '../../../postrider/domains/v1/Domain.ts';

export interface ListReply {
  'domains'?: (_postrider_domains_v1_Domain)[];
  'has_more'?: (boolean);
}

export interface ListReply__Output {
  'domains': (_postrider_domains_v1_Domain__Output)[];
  'has_more': (boolean);
}
