// Original file: protos/postrider/intake/v1/intake.proto


export interface TestClockRequest {
  'workspace'?: (string);
}

export interface TestClockRequest__Output {
  'workspace': (string);
}
