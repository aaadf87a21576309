{{/* Ways out to DNS and to the back ends that a program with these `variables` asks. */}}
{{- define "postrider.egress" -}}
{{- $policy := .root.Values.networkPolicy -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  {{- with $policy.dnsTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- if has "MONGODB_URL" .variables }}
{{ include "postrider.wayOut" $policy.mongodb }}
{{- end }}
{{- if has "KAFKA_BROKERS" .variables }}
{{ include "postrider.wayOut" $policy.kafka }}
{{- end }}
{{- if has "REDIS_URL" .variables }}
{{ include "postrider.wayOut" $policy.redis }}
{{- end }}
{{- if has "POSTRIDER_ROUTE" .variables }}
{{ include "postrider.wayOut" $policy.smtp }}
{{- end }}
{{- if .root.Values.tracing.endpoint }}
{{ include "postrider.wayOut" $policy.tracing }}
{{- end }}
{{- end }}

{{- define "postrider.wayOut" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
