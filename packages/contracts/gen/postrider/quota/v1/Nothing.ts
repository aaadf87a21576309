// Original file: protos/postrider/quota/v1/quota.proto


export interface Nothing {
}

export interface Nothing__Output {
}
