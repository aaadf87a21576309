// Original file: protos/postrider/intake/v1/intake.proto

import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from '../../../postrider/intake/v1/Reader.ts';

export interface ResolveRequest {
  'reader'?: (_postrider_intake_v1_Reader | null);
  'id'?: (string);
  'as'?: (string);
}

export interface ResolveRequest__Output {
  'reader': (_postrider_intake_v1_Reader__Output | null);
  'id': (string);
  'as': (string);
}
