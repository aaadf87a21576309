// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface Events {
  'types'?: (string)[];
}

export interface Events__Output {
  'types': (string)[];
}
