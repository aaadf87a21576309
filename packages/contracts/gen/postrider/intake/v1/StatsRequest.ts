// Original file: protos/postrider/intake/v1/intake.proto

import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from '../../../postrider/intake/v1/Reader.ts';

export interface StatsRequest {
  'reader'?: (_postrider_intake_v1_Reader | null);
  'from'?: (number | string);
  'to'?: (number | string);
  'bucket'?: (string);
  'by'?: (string);
  '_from'?: "from";
  '_to'?: "to";
}

export interface StatsRequest__Output {
  'reader': (_postrider_intake_v1_Reader__Output | null);
  'from'?: (number);
  'to'?: (number);
  'bucket': (string);
  'by': (string);
}
