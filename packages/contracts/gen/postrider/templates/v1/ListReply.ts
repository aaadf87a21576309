// Original file: protos/postrider/templates/v1/templates.proto

import type { Template as _postrider_templates_v1_Template, Template__Output as _postrider_templates_v1_Template__Output } from '../../../postrider/templates/v1/Template.ts';

export interface ListReply {
  'templates'?: (_postrider_templates_v1_Template)[];
  'has_more'?: (boolean);
}

export interface ListReply__Output {
  'templates': (_postrider_templates_v1_Template__Output)[];
  'has_more': (boolean);
}
