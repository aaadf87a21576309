// Original file: protos/postrider/intake/v1/intake.proto


export interface CountDispatchersRequest {
}

export interface CountDispatchersRequest__Output {
}
