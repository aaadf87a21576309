// Original file: protos/postrider/intake/v1/intake.proto


export interface StagedBatch {
  'id'?: (string);
  'at'?: (number | string);
}

export interface StagedBatch__Output {
  'id': (string);
  'at': (number);
}
