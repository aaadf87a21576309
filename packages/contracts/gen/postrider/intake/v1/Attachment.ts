// Original file: protos/postrider/intake/v1/intake.proto


export interface Attachment {
  'filename'?: (string);
  'content'?: (Buffer | Uint8Array | string);
  'content_type'?: (string);
  'content_id'?: (string);
}

export interface Attachment__Output {
  'filename': (string);
  'content': (Buffer);
  'content_type': (string);
  'content_id': (string);
}
