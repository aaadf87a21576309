// Original file: protos/postrider/intake/v1/intake.proto

import type { Captured as _postrider_intake_v1_Captured, Captured__Output as _postrider_intake_v1_Captured__Output } from '../../../postrider/intake/v1/Captured.ts';
import type { ContentAttachment as _postrider_intake_v1_ContentAttachment, ContentAttachment__Output as _postrider_intake_v1_ContentAttachment__Output } from '../../../postrider/intake/v1/ContentAttachment.ts';

export interface CapturedReply {
  'captured'?: (_postrider_intake_v1_Captured | null);
  'raw'?: (Buffer | Uint8Array | string);
  'html'?: (string);
  'text'?: (string);
  'attachments'?: (_postrider_intake_v1_ContentAttachment)[];
}

export interface CapturedReply__Output {
  'captured': (_postrider_intake_v1_Captured__Output | null);
  'raw': (Buffer);
  'html': (string);
  'text': (string);
  'attachments': (_postrider_intake_v1_ContentAttachment__Output)[];
}
