// Original file: protos/postrider/intake/v1/intake.proto

import type { Reader as _postrider_intake_v1_Reader, Reader__Output as _postrider_intake_v1_Reader__Output } from '../../../postrider/intake/v1/Reader.ts';
import type { Arrival as _postrider_intake_v1_Arrival, Arrival__Output as _postrider_intake_v1_Arrival__Output } from '../../../postrider/intake/v1/Arrival.ts';

export interface ListEventsRequest {
  'reader'?: (_postrider_intake_v1_Reader | null);
  'types'?: (string)[];
  'order'?: (string);
  'after_at'?: (number | string);
  'after_id'?: (string);
  'limit'?: (number);
  'arrival'?: (_postrider_intake_v1_Arrival | null);
  '_after_at'?: "after_at";
}

export interface ListEventsRequest__Output {
  'reader': (_postrider_intake_v1_Reader__Output | null);
  'types': (string)[];
  'order': (string);
  'after_at'?: (number);
  'after_id': (string);
  'limit': (number);
  'arrival': (_postrider_intake_v1_Arrival__Output | null);
}
