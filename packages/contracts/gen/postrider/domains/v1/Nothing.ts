// Original file: protos/postrider/domains/v1/domains.proto


export interface Nothing {
}

export interface Nothing__Output {
}
