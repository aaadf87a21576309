{{/* Variables that the chart sets. */}}
{{- define "postrider.fixed" -}}
{{- $prefix := include "postrider.fullname" .root -}}
PORT: {{ .program.port | quote }}
METRICS_PORT: {{ .program.metricsPort | quote }}
# Every address of the pod, also on nodes with one IP version.
POSTRIDER_HOST: "::"
POSTRIDER_INSTALLATION: {{ .root.Release.Namespace }}/{{ .root.Release.Name }}
{{- if .root.Values.installation.takeOver }}
POSTRIDER_INSTALLATION_TAKE_OVER: "on"
{{- end }}
POSTRIDER_REPLICAS: {{ ternary .settings.autoscaling.maxReplicas (.settings.replicas | default 2) .settings.autoscaling.enabled | quote }}
{{- if dig "memory" "budget" dict .program }}
{{- with include "postrider.memory" . | fromJson }}
{{- if not .isGiven }}
{{ .budget.variable }}: {{ .budgetMiB | int | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- range $peer, $program := include "postrider.programs" .root | fromJson }}
POSTRIDER_{{ upper $peer }}: {{ $prefix }}-{{ $peer }}:{{ $program.port }}
{{- end }}
{{- if include "postrider.wireSecret" . }}
POSTRIDER_WIRE_CA: /etc/postrider/wire/ca.crt
POSTRIDER_WIRE_CERT: /etc/postrider/wire/tls.crt
POSTRIDER_WIRE_KEY: /etc/postrider/wire/tls.key
POSTRIDER_WIRE_IDENTITY: {{ .root.Values.wire.identity }}
{{- end }}
{{- end }}

{{/* The wire tokens: each caller's own, or one that all share. A program without a token that it needs exits with 2. */}}
{{- define "postrider.wireTokens" -}}
[POSTRIDER_WIRE_TOKEN, POSTRIDER_WIRE_TOKEN_GATEWAY, POSTRIDER_WIRE_TOKEN_INTAKE, POSTRIDER_WIRE_TOKEN_ACCOUNTS]
{{- end }}

{{/* Name of the Secret with the certificate of the service `name`; empty: none. */}}
{{- define "postrider.wireSecret" -}}
{{ get .root.Values.wire.tlsSecrets (.name | default "") | default .root.Values.wire.tlsSecret }}
{{- end }}

{{/* Configuration of one program as JSON: its `settings` override the values for all programs. */}}
{{- define "postrider.config" -}}
{{ mustMergeOverwrite (deepCopy .root.Values.config) .settings.config | toJson }}
{{- end }}

{{/* Environment of one program: each of its variables from its source, in the order of docs/config.md. */}}
{{- define "postrider.env" -}}
{{- $root := .root }}
{{- $fixed := include "postrider.fixed" . | fromYaml }}
{{- $own := .settings.config }}
{{- $config := include "postrider.config" . | fromJson }}
{{- $secret := .secretName | default (include "postrider.secretName" $root) }}
{{- $optional := include "postrider.wireTokens" $root | fromYamlArray }}
{{- range $variable := .program.variables }}
{{- $reference := index $root.Values.secrets.variables $variable | default dict }}
{{- $isOptional := has $variable $optional }}
{{- /* Without a created key, a reference to it would only confuse. */}}
{{- $isAbsent := and $isOptional $root.Values.secrets.create (not $reference.secret) (not (get $root.Values.secrets.values $variable)) }}
{{- if and $reference.key (not (get $own $variable)) }}
{{- if not $isAbsent }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $reference.secret | default $secret }}
      key: {{ $reference.key }}
      {{- if $isOptional }}
      optional: true
      {{- end }}
{{- end }}
{{- else if hasKey $fixed $variable }}
- name: {{ $variable }}
  value: {{ get $fixed $variable | quote }}
{{- else if ne (get $config $variable | toString) "" }}
- name: {{ $variable }}
  value: {{ include "postrider.plain" (get $config $variable) | quote }}
{{- end }}
{{- end }}
{{- if $root.Values.trust.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/postrider/trust/ca.crt
{{- end }}
{{- with $root.Values.tracing }}
{{- if .endpoint }}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .endpoint | quote }}
- name: OTEL_TRACES_SAMPLER
  value: {{ .sampler | quote }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .samplerArg | quote }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: k8s.namespace.name={{ $root.Release.Namespace }},k8s.pod.name=$(POD_NAME)
{{- end }}
{{- end }}
{{- end }}

{{/* Helm represents numbers as floats and would write a large one as 5e+06. */}}
{{- define "postrider.plain" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}
