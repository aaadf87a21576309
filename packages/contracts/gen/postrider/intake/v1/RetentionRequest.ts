// Original file: protos/postrider/intake/v1/intake.proto


export interface RetentionRequest {
}

export interface RetentionRequest__Output {
}
