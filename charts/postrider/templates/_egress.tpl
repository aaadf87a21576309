{{/* Egress rules to DNS and to the back ends that a program with these `variables` uses. */}}
{{- define "postrider.egress" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{ include "postrider.egressDns" (dict "ports" $policy.dnsPorts "to" $policy.dnsTo) }}
{{- if has "MONGODB_URL" .variables }}
{{ include "postrider.egressRule" $policy.mongodb }}
{{- end }}
{{- if has "KAFKA_BROKERS" .variables }}
{{ include "postrider.egressRule" $policy.kafka }}
{{- end }}
{{- if has "REDIS_URL" .variables }}
{{ include "postrider.egressRule" $policy.redis }}
{{- end }}
{{- if has "POSTRIDER_DNS" .variables }}
{{ include "postrider.egressDns" $policy.domainChecks }}
{{- end }}
{{- if has "POSTRIDER_WEBHOOK_ALLOW" .variables }}
{{ include "postrider.egressRule" $policy.webhooks }}
{{- end }}
{{- if has "POSTRIDER_ROUTE" .variables }}
{{ include "postrider.egressRule" $policy.smtp }}
{{- end }}
{{- if .root.Values.tracing.endpoint }}
{{ include "postrider.egressRule" $policy.tracing }}
{{- end }}
{{- end }}

{{- define "postrider.egressDns" -}}
- ports:
    {{- range .ports }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
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
