// Original file: protos/postrider/intake/v1/intake.proto


export interface QueuesRequest {
}

export interface QueuesRequest__Output {
}
