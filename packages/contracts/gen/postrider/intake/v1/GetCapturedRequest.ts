// Original file: protos/postrider/intake/v1/intake.proto


export interface GetCapturedRequest {
  'workspace'?: (string);
  'id'?: (string);
  'inline_images'?: (boolean);
  'attachment'?: (number);
  '_inline_images'?: "inline_images";
  '_attachment'?: "attachment";
}

export interface GetCapturedRequest__Output {
  'workspace': (string);
  'id': (string);
  'inline_images'?: (boolean);
  'attachment'?: (number);
}
