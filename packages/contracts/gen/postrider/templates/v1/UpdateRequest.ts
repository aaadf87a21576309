// Original file: protos/postrider/templates/v1/templates.proto


export interface UpdateRequest {
  'workspace'?: (string);
  'id'?: (string);
  'actor'?: (string);
  'client_address'?: (string);
  'name'?: (string);
  'subject'?: (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'alias'?: (string);
  '_name'?: "name";
  '_subject'?: "subject";
  '_html_body'?: "html_body";
  '_text_body'?: "text_body";
  '_alias'?: "alias";
}

export interface UpdateRequest__Output {
  'workspace': (string);
  'id': (string);
  'actor': (string);
  'client_address': (string);
  'name'?: (string);
  'subject'?: (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'alias'?: (string);
}
