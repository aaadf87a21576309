// Original file: protos/postrider/intake/v1/intake.proto


export interface ContentAttachment {
  'filename'?: (string);
  'content_type'?: (string);
  'content_id'?: (string);
  'size'?: (number);
  '_size'?: "size";
}

export interface ContentAttachment__Output {
  'filename': (string);
  'content_type': (string);
  'content_id': (string);
  'size'?: (number);
}
