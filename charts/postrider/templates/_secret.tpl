{{/* The chart's own Secret, of `secrets.values`; the services have one, and the Job that runs before them another. */}}
{{- define "postrider.secretData" -}}
type: Opaque
stringData:
  {{- range $variable, $value := .Values.secrets.values }}
  {{- with (index $.Values.secrets.variables $variable).key }}
  {{ . }}: {{ $value | quote }}
  {{- end }}
  {{- end }}
{{- end }}
