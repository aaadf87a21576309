// Original file: protos/postrider/intake/v1/intake.proto

import type { Address as _postrider_intake_v1_Address, Address__Output as _postrider_intake_v1_Address__Output } from '../../../postrider/intake/v1/Address.ts';
import type { Attachment as _postrider_intake_v1_Attachment, Attachment__Output as _postrider_intake_v1_Attachment__Output } from '../../../postrider/intake/v1/Attachment.ts';

export interface Mail {
  'to'?: (_postrider_intake_v1_Address)[];
  'cc'?: (_postrider_intake_v1_Address)[];
  'bcc'?: (_postrider_intake_v1_Address)[];
  'reply_to'?: (_postrider_intake_v1_Address)[];
  'from'?: (_postrider_intake_v1_Address | null);
  'subject'?: (string);
  'html'?: (string);
  'text'?: (string);
  'template_id'?: (string);
  'template_vars_json'?: (string);
  'domain_id'?: (string);
  'headers'?: ({[key: string]: string});
  'attachments'?: (_postrider_intake_v1_Attachment)[];
  'tags'?: ({[key: string]: string});
  'metadata'?: ({[key: string]: string});
  'scheduled_at'?: (string);
  'expires_in_ms'?: (number | string);
  'on_unknown'?: (string);
  'category'?: (string);
  'topic'?: (string);
  'scheduled_in_ms'?: (number | string);
  'retention'?: (string);
  'template_version'?: (number);
  '_from'?: "from";
  '_subject'?: "subject";
  '_html'?: "html";
  '_text'?: "text";
  '_template_id'?: "template_id";
  '_template_vars_json'?: "template_vars_json";
  '_domain_id'?: "domain_id";
  '_scheduled_at'?: "scheduled_at";
  '_expires_in_ms'?: "expires_in_ms";
  '_on_unknown'?: "on_unknown";
  '_topic'?: "topic";
  '_scheduled_in_ms'?: "scheduled_in_ms";
  '_retention'?: "retention";
  '_template_version'?: "template_version";
}

export interface Mail__Output {
  'to': (_postrider_intake_v1_Address__Output)[];
  'cc': (_postrider_intake_v1_Address__Output)[];
  'bcc': (_postrider_intake_v1_Address__Output)[];
  'reply_to': (_postrider_intake_v1_Address__Output)[];
  'from'?: (_postrider_intake_v1_Address__Output | null);
  'subject'?: (string);
  'html'?: (string);
  'text'?: (string);
  'template_id'?: (string);
  'template_vars_json'?: (string);
  'domain_id'?: (string);
  'headers': ({[key: string]: string});
  'attachments': (_postrider_intake_v1_Attachment__Output)[];
  'tags': ({[key: string]: string});
  'metadata': ({[key: string]: string});
  'scheduled_at'?: (string);
  'expires_in_ms'?: (number);
  'on_unknown'?: (string);
  'category': (string);
  'topic'?: (string);
  'scheduled_in_ms'?: (number);
  'retention'?: (string);
  'template_version'?: (number);
}
