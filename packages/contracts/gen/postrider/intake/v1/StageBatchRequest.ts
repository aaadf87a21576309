// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { StagedBatch as _postrider_intake_v1_StagedBatch, StagedBatch__Output as _postrider_intake_v1_StagedBatch__Output } from '../../../postrider/intake/v1/StagedBatch.ts';
import type { BatchMail as _postrider_intake_v1_BatchMail, BatchMail__Output as _postrider_intake_v1_BatchMail__Output } from '../../../postrider/intake/v1/BatchMail.ts';

export interface StageBatchRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'staged'?: (_postrider_intake_v1_StagedBatch | null);
  'mails'?: (_postrider_intake_v1_BatchMail)[];
  'request_id'?: (string);
  'idempotency_key'?: (string);
  'operation'?: (string);
  '_staged'?: "staged";
}

export interface StageBatchRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'staged'?: (_postrider_intake_v1_StagedBatch__Output | null);
  'mails': (_postrider_intake_v1_BatchMail__Output)[];
  'request_id': (string);
  'idempotency_key': (string);
  'operation': (string);
}
