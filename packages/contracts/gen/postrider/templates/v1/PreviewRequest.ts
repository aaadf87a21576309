// Original file: protos/postrider/templates/v1/templates.proto


export interface PreviewRequest {
  'workspace'?: (string);
  'id'?: (string);
  'version'?: (number);
  'template_vars_json'?: (string);
}

export interface PreviewRequest__Output {
  'workspace': (string);
  'id': (string);
  'version': (number);
  'template_vars_json': (string);
}
