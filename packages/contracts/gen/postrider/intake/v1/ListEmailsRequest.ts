// Original file: protos/postrider/intake/v1/intake.proto

import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from '../../../postrider/intake/v1/Reader.ts';

export interface ListEmailsRequest {
  'reader'?: (_postrider_intake_v1_Reader | null);
  'limit'?: (number);
  'before'?: (string);
  'status'?: (string);
  'to'?: (string);
  'from'?: (string);
  'subject'?: (string);
  'template_id'?: (string);
  'tag'?: (string);
  'category'?: (string);
  'created_after'?: (string);
  'created_before'?: (string);
  '_status'?: "status";
  '_to'?: "to";
  '_from'?: "from";
  '_subject'?: "subject";
  '_template_id'?: "template_id";
  '_tag'?: "tag";
  '_category'?: "category";
  '_created_after'?: "created_after";
  '_created_before'?: "created_before";
}

export interface ListEmailsRequest__Output {
  'reader': (_postrider_intake_v1_Reader__Output | null);
  'limit': (number);
  'before': (string);
  'status'?: (string);
  'to'?: (string);
  'from'?: (string);
  'subject'?: (string);
  'template_id'?: (string);
  'tag'?: (string);
  'category'?: (string);
  'created_after'?: (string);
  'created_before'?: (string);
}
