// Original file: protos/postrider/accounts/v1/accounts.proto


export interface Nothing {
}

export interface Nothing__Output {
}
