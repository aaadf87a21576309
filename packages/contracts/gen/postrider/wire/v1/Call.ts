// Original file: protos/postrider/wire/v1/wire.proto


export interface Call {
  'path'?: (string);
  'message'?: (Buffer | Uint8Array | string);
  'timeout_ms'?: (number | string);
  'headers'?: ({[key: string]: string});
}

export interface Call__Output {
  'path': (string);
  'message': (Buffer);
  'timeout_ms': (number);
  'headers': ({[key: string]: string});
}
