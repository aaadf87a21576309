// Original file: protos/postrider/webhooks/v1/webhooks.proto


export interface Nothing {
}

export interface Nothing__Output {
}
