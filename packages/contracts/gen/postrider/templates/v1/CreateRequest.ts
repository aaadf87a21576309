// Original file: protos/postrider/templates/v1/templates.proto


export interface CreateRequest {
  'workspace'?: (string);
  'name'?: (string);
  'subject'?: (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'actor'?: (string);
  'alias'?: (string);
  'client_address'?: (string);
  '_html_body'?: "html_body";
  '_text_body'?: "text_body";
  '_alias'?: "alias";
  '_client_address'?: "client_address";
}

export interface CreateRequest__Output {
  'workspace': (string);
  'name': (string);
  'subject': (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'actor': (string);
  'alias'?: (string);
  'client_address'?: (string);
}
