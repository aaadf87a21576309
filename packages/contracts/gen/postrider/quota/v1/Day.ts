// Original file: protos/postrider/quota/v1/quota.proto


export interface Day {
  'date'?: (string);
  'sends'?: (number | string);
}

export interface Day__Output {
  'date': (string);
  'sends': (number);
}
