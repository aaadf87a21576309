// Original file: protos/postrider/domains/v1/domains.proto

import type { Record as _postrider_domains_v1_Record, Record__Output as _postrider_domains_v1_Record__Output } from '../../../postrider/domains/v1/Record.ts';

export interface Domain {
  'id'?: (string);
  'name'?: (string);
  'status'?: (string);
  'subdomains'?: (boolean);
  'created_at'?: (string);
  'verified_at'?: (string);
  'checked_at'?: (string);
  'records'?: (_postrider_domains_v1_Record)[];
  '_verified_at'?: "verified_at";
  '_checked_at'?: "checked_at";
}

export interface Domain__Output {
  'id': (string);
  'name': (string);
  'status': (string);
  'subdomains': (boolean);
  'created_at': (string);
  'verified_at'?: (string);
  'checked_at'?: (string);
  'records': (_postrider_domains_v1_Record__Output)[];
}
