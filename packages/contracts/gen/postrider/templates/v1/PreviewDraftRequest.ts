// Original file: protos/postrider/templates/v1/templates.proto


export interface PreviewDraftRequest {
  'workspace'?: (string);
  'subject'?: (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'template_vars_json'?: (string);
  '_html_body'?: "html_body";
  '_text_body'?: "text_body";
}

export interface PreviewDraftRequest__Output {
  'workspace': (string);
  'subject': (string);
  'html_body'?: (string);
  'text_body'?: (string);
  'template_vars_json': (string);
}
