// Original file: protos/postrider/intake/v1/intake.proto

import type { ContentAttachment as _postrider_intake_v1_ContentAttachment, ContentAttachment__Output as _postrider_intake_v1_ContentAttachment__Output } from '../../../postrider/intake/v1/ContentAttachment.ts';

export interface ContentReply {
  'subject'?: (string);
  'html'?: (string);
  'text'?: (string);
  'headers'?: ({[key: string]: string});
  'attachments'?: (_postrider_intake_v1_ContentAttachment)[];
  'attachments_removed_at'?: (string);
  '_html'?: "html";
  '_text'?: "text";
  '_attachments_removed_at'?: "attachments_removed_at";
}

export interface ContentReply__Output {
  'subject': (string);
  'html'?: (string);
  'text'?: (string);
  'headers': ({[key: string]: string});
  'attachments': (_postrider_intake_v1_ContentAttachment__Output)[];
  'attachments_removed_at'?: (string);
}
