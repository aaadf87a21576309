{{- define "postrider.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride }}
{{- else }}
{{- /* The name of a release may contain dots, the name of a Service may not. */}}
{{- $release := .Release.Name | replace "." "-" }}
{{- if contains "postrider" $release }}{{ $release | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-postrider" ($release | trunc 30 | trimSuffix "-") }}
{{- end }}
{{- end }}
{{- end }}

{{- define "postrider.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "postrider.secretName" -}}
{{ .Values.secrets.existingSecret | default (include "postrider.fullname" .) }}
{{- end }}

{{/* Selector of all pods of the release, or of the service `name`. */}}
{{- define "postrider.selector" -}}
app.kubernetes.io/name: postrider
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "postrider.labels" -}}
{{ include "postrider.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The annotations of an object: `own`, and the common ones. */}}
{{- define "postrider.annotations" -}}
{{- with merge (dict) (.own | default dict) .root.Values.commonAnnotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Ports and variables of each service as JSON, generated from the programs: see files/services.json. Templates that are included often
return JSON, because helm parses YAML ten times more slowly.
*/}}
{{- define "postrider.programs" -}}
{{ .Files.Get "files/services.json" }}
{{- end }}

{{/* Values of one service as JSON: its block overrides the defaults, and a null in it removes one. */}}
{{- define "postrider.settings" -}}
{{- $own := index .root.Values .name }}
{{- $all := mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $own) }}
{{- range $key := list "podSecurityContext" "containerSecurityContext" }}
{{- range $field, $value := get $own $key | default dict }}
{{- if kindIs "invalid" $value }}{{ $_ := unset (get $all $key) $field }}{{ end }}
{{- end }}
{{- end }}
{{- toJson $all }}
{{- end }}

{{/* Name of the ServiceAccount of the service `name`: an existing one, or its own. */}}
{{- define "postrider.serviceAccount" -}}
{{ .settings.serviceAccountName | default (printf "%s-%s" (include "postrider.fullname" .root) .name) }}
{{- end }}
