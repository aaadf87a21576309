{{/* Egress rules to DNS and to the back ends that a program with these `variables` uses. */}}
{{- define "postrider.egress" -}}
{{- $policy := .root.Values.networkPolicy -}}
- ports:
    {{- range $policy.dnsPorts }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with $policy.dnsTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- if has "MONGODB_URL" .variables }}
{{ include "postrider.egressRule" $policy.mongodb }}
{{- end }}
{{- if has "KAFKA_BROKERS" .variables }}
{{ include "postrider.egressRule" $policy.kafka }}
{{- end }}
{{- if has "REDIS_URL" .variables }}
{{ include "postrider.egressRule" $policy.redis }}
{{- end }}
{{- if has "POSTRIDER_ROUTE" .variables }}
{{ include "postrider.egressRule" $policy.smtp }}
{{- end }}
{{- if .root.Values.tracing.endpoint }}
{{ include "postrider.egressRule" $policy.tracing }}
{{- end }}
{{- end }}

{{- define "postrider.egressRule" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
