// Original file: protos/postrider/intake/v1/intake.proto


export interface LaneDispatchers {
  'lane'?: (string);
  'dispatchers'?: (number);
}

export interface LaneDispatchers__Output {
  'lane': (string);
  'dispatchers': (number);
}
