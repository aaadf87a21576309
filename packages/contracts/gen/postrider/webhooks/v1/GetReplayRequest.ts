// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface GetReplayRequest {
  'workspace'?: (string);
  'id'?: (string);
  'mode'?: (string);
  'replay'?: (string);
}

export interface GetReplayRequest__Output {
  'workspace': (string);
  'id': (string);
  'mode': (string);
  'replay': (string);
}
