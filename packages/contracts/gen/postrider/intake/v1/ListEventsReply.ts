// Original file: protos/postrider/intake/v1/intake.proto

import type { Arrival as _postrider_intake_v1_Arrival, Arrival__Output as _postrider_intake_v1_Arrival__Output } from '../../../postrider/intake/v1/Arrival.ts';

export interface ListEventsReply {
  'events_json'?: (string)[];
  'position_at'?: (number | string);
  'position_id'?: (string);
  'has_more'?: (boolean);
  'arrival'?: (_postrider_intake_v1_Arrival | null);
  'events_at'?: (number | string)[];
  'event_ids'?: (string)[];
  'event_types'?: (string)[];
}

export interface ListEventsReply__Output {
  'events_json': (string)[];
  'position_at': (number);
  'position_id': (string);
  'has_more': (boolean);
  'arrival': (_postrider_intake_v1_Arrival__Output | null);
  'events_at': (number)[];
  'event_ids': (string)[];
  'event_types': (string)[];
}
