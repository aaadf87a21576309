// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface Request {
  'url'?: (string);
  'headers'?: ({[key: string]: string});
  'body'?: (string);
  'cut'?: (boolean);
}

export interface Request__Output {
  'url': (string);
  'headers': ({[key: string]: string});
  'body': (string);
  'cut': (boolean);
}
