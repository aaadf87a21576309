// Original file: protos/postrider/templates/v1/templates.proto


export interface Template {
  'id'?: (string);
  'name'?: (string);
  'subject'?: (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'variables'?: (string)[];
  'version'?: (number);
  'created_at'?: (string);
  'updated_at'?: (string);
  'alias'?: (string);
  'notices'?: (string)[];
  '_html_body'?: "html_body";
  '_text_body'?: "text_body";
  '_alias'?: "alias";
}

export interface Template__Output {
  'id': (string);
  'name': (string);
  'subject': (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'variables': (string)[];
  'version': (number);
  'created_at': (string);
  'updated_at': (string);
  'alias'?: (string);
  'notices': (string)[];
}
