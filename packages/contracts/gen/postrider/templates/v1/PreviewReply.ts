// Original file: protos/postrider/templates/v1/templates.proto


export interface PreviewReply {
  'subject'?: (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'variables'?: (string)[];
  'notices'?: (string)[];
  'id'?: (string);
  'version'?: (number);
  '_html_body'?: "html_body";
  '_text_body'?: "text_body";
}

export interface PreviewReply__Output {
  'subject': (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'variables': (string)[];
  'notices': (string)[];
  'id': (string);
  'version': (number);
}
