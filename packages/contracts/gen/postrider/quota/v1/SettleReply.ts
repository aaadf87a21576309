// Original file: protos/postrider/quota/v1/quota.proto


export interface SettleReply {
  'taken_back'?: (boolean);
}

export interface SettleReply__Output {
  'taken_back': (boolean);
}
