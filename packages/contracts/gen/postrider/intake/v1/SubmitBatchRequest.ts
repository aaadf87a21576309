// Original file: protos/postrider/intake/v1/intake.proto

import type { Caller as _postrider_accounts_v1_Caller, Caller__Output as _postrider_accounts_v1_Caller__Output } from '../../../postrider/accounts/v1/Caller.ts';
import type { StagedBatch as _postrider_intake_v1_StagedBatch, StagedBatch__Output as _postrider_intake_v1_StagedBatch__Output } from '../../../postrider/intake/v1/StagedBatch.ts';
import type { BatchMail as _postrider_intake_v1_BatchMail, BatchMail__Output as _postrider_intake_v1_BatchMail__Output } from '../../../postrider/intake/v1/BatchMail.ts';
import type { BatchRefusal as _postrider_intake_v1_BatchRefusal, BatchRefusal__Output as _postrider_intake_v1_BatchRefusal__Output } from '../../../postrider/intake/v1/BatchRefusal.ts';

export interface SubmitBatchRequest {
  'caller'?: (_postrider_accounts_v1_Caller | null);
  'staged'?: (_postrider_intake_v1_StagedBatch | null);
  'mails'?: (_postrider_intake_v1_BatchMail)[];
  'refusals'?: (_postrider_intake_v1_BatchRefusal)[];
  'count'?: (number);
  'permissive'?: (boolean);
  'idempotency_key'?: (string);
  'operation'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
  'request_id'?: (string);
  'is_repeat'?: (boolean);
  '_staged'?: "staged";
}

export interface SubmitBatchRequest__Output {
  'caller': (_postrider_accounts_v1_Caller__Output | null);
  'staged'?: (_postrider_intake_v1_StagedBatch__Output | null);
  'mails': (_postrider_intake_v1_BatchMail__Output)[];
  'refusals': (_postrider_intake_v1_BatchRefusal__Output)[];
  'count': (number);
  'permissive': (boolean);
  'idempotency_key': (string);
  'operation': (string);
  'fingerprint': (Buffer);
  'request_id': (string);
  'is_repeat': (boolean);
}
