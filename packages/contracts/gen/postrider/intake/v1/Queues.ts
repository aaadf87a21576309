// Original file: protos/postrider/intake/v1/intake.proto

import type { QueueLane as _postrider_intake_v1_QueueLane, QueueLane__Output as _postrider_intake_v1_QueueLane__Output } from '../../../postrider/intake/v1/QueueLane.ts';
import type { QueueDestination as _postrider_intake_v1_QueueDestination, QueueDestination__Output as _postrider_intake_v1_QueueDestination__Output } from '../../../postrider/intake/v1/QueueDestination.ts';

export interface Queues {
  'lanes'?: (_postrider_intake_v1_QueueLane)[];
  'parked'?: (number);
  'destinations'?: (_postrider_intake_v1_QueueDestination)[];
  'sampled'?: (number);
  'sample_limit'?: (number);
}

export interface Queues__Output {
  'lanes': (_postrider_intake_v1_QueueLane__Output)[];
  'parked': (number);
  'destinations': (_postrider_intake_v1_QueueDestination__Output)[];
  'sampled': (number);
  'sample_limit': (number);
}
