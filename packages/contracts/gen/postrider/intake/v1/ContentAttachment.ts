// Original file: protos/postrider/intake/v1/intake.proto


export interface ContentAttachment {
  'filename'?: (string);
  'content_type'?: (string);
  'content_id'?: (string);
  'size'?: (number);
  'content'?: (Buffer | Uint8Array | string);
  '_size'?: "size";
  '_content'?: "content";
}

export interface ContentAttachment__Output {
  'filename': (string);
  'content_type': (string);
  'content_id': (string);
  'size'?: (number);
  'content'?: (Buffer);
}
