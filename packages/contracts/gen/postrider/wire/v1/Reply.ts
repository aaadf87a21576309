// Original file: protos/postrider/wire/v1/wire.proto


export interface Reply {
  'number'?: (number);
  'code'?: (number);
  'body'?: (Buffer | Uint8Array | string);
}

export interface Reply__Output {
  'number': (number);
  'code': (number);
  'body': (Buffer);
}
