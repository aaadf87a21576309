// Original file: protos/postrider/intake/v1/intake.proto


export interface RawReply {
  'raw'?: (Buffer | Uint8Array | string);
}

export interface RawReply__Output {
  'raw': (Buffer);
}
