// Original file: protos/postrider/intake/v1/intake.proto

import type { StagedBatch as _postrider_intake_v1_StagedBatch, StagedBatch__Output as _postrider_intake_v1_StagedBatch__Output } from '../../../postrider/intake/v1/StagedBatch.ts';
import type { BatchRefusal as _postrider_intake_v1_BatchRefusal, BatchRefusal__Output as _postrider_intake_v1_BatchRefusal__Output } from '../../../postrider/intake/v1/BatchRefusal.ts';

export interface StageBatchReply {
  'staged'?: (_postrider_intake_v1_StagedBatch | null);
  'refusals'?: (_postrider_intake_v1_BatchRefusal)[];
}

export interface StageBatchReply__Output {
  'staged': (_postrider_intake_v1_StagedBatch__Output | null);
  'refusals': (_postrider_intake_v1_BatchRefusal__Output)[];
}
