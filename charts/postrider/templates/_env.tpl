{{/* What the chart itself decides, by variable. */}}
{{- define "postrider.fixed" -}}
{{- $prefix := include "postrider.fullname" .root -}}
PORT: {{ .program.port | quote }}
METRICS_PORT: {{ .program.metricsPort | quote }}
{{- if hasKey . "settings" }}
POSTRIDER_REPLICAS: {{ ternary .settings.autoscaling.maxReplicas .settings.replicas .settings.autoscaling.enabled | quote }}
{{- end }}
{{- range $peer, $program := include "postrider.programs" .root | fromYaml }}
POSTRIDER_{{ upper $peer }}: {{ $prefix }}-{{ $peer }}:{{ $program.port }}
{{- end }}
{{- if .root.Values.wire.tlsSecret }}
POSTRIDER_WIRE_CA: /etc/postrider/wire/ca.crt
POSTRIDER_WIRE_CERT: /etc/postrider/wire/tls.crt
POSTRIDER_WIRE_KEY: /etc/postrider/wire/tls.key
{{- end }}
{{- end }}

{{/* Environment of one program: each of its variables from where it is, in the order of docs/config.md. */}}
{{- define "postrider.env" -}}
{{- $root := .root }}
{{- $fixed := include "postrider.fixed" . | fromYaml }}
{{- $config := mustMergeOverwrite (deepCopy $root.Values.config) (dig "config" dict (.settings | default dict)) }}
{{- $secret := .secretName | default (include "postrider.secretName" $root) }}
{{- range $variable := .program.variables }}
{{- $reference := index $root.Values.secrets.variables $variable | default dict }}
{{- if $reference.key }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $reference.secret | default $secret }}
      key: {{ $reference.key }}
{{- else if hasKey $fixed $variable }}
- name: {{ $variable }}
  value: {{ get $fixed $variable | quote }}
{{- else if hasKey $config $variable }}
{{- $value := get $config $variable }}
- name: {{ $variable }}
  value: {{ ternary (int64 $value) $value (kindIs "float64" $value) | quote }}
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
