// Original file: protos/postrider/quota/v1/quota.proto


export interface Link {
  'url'?: (string);
}

export interface Link__Output {
  'url': (string);
}
