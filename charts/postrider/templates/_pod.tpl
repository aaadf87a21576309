{{/* Security of every pod, from `root` and `settings`: by default the standard "restricted". */}}
{{- define "postrider.podSecurity" -}}
automountServiceAccountToken: false
# Variables derived from the names of Services would look like Postrider's.
enableServiceLinks: false
{{- with .settings.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Scheduling and DNS of a pod. */}}
{{- define "postrider.place" -}}
{{- with .dnsPolicy }}
dnsPolicy: {{ . }}
{{- end }}
{{- with .dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "postrider.containerSecurity" -}}
image: {{ include "postrider.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- with .settings.containerSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Volume mounts of a program with these `variables`. */}}
{{- define "postrider.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if and (include "postrider.wireSecret" .) (has "POSTRIDER_WIRE_CA" .variables) }}
- name: wire
  mountPath: /etc/postrider/wire
  readOnly: true
{{- end }}
{{- if .root.Values.trust.configMap }}
- name: trust
  mountPath: /etc/postrider/trust
  readOnly: true
{{- end }}
{{- with .settings.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "postrider.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if and (include "postrider.wireSecret" .) (has "POSTRIDER_WIRE_CA" .variables) }}
- name: wire
  secret:
    secretName: {{ include "postrider.wireSecret" . }}
    defaultMode: 288 # 0440
{{- end }}
{{- if .root.Values.trust.configMap }}
- name: trust
  configMap:
    name: {{ .root.Values.trust.configMap }}
    items:
      - key: {{ .root.Values.trust.key }}
        path: ca.crt
{{- end }}
{{- with .settings.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The pod of one service, from `root`, `name`, `program` and `settings`. */}}
{{- define "postrider.pod" -}}
{{- $root := .root }}
{{- $env := include "postrider.env" . }}
{{- $selector := dict "root" $root "name" .name }}
{{- $files := dict "root" $root "name" .name "variables" .program.variables "settings" .settings }}
metadata:
  labels:
    {{- include "postrider.selector" $selector | nindent 4 }}
    app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
    {{- with merge (dict) .settings.podLabels $root.Values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # Pods roll if their environment or the created Secret changes; on an upgrade also if your Secrets or certificates changed.
    checksum/config: {{ $env | sha256sum }}
    checksum/secrets: {{ include "postrider.secretsVersion" $root | sha256sum }}
    {{- with .settings.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "postrider.serviceAccount" . }}
  {{- include "postrider.podSecurity" . | nindent 2 }}
  # Longer than the pause plus the 25 s that a program may need to drain.
  terminationGracePeriodSeconds: {{ add .settings.preStopSeconds 35 }}
  {{- with include "postrider.place" .settings | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .settings.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- range . }}
    - {{- toYaml (merge (deepCopy .) (dict "labelSelector" (dict "matchLabels" (include "postrider.selector" $selector | fromYaml)))) | nindent 6 }}
    {{- end }}
  {{- else }}
  {{- with .settings.spreadOver }}
  topologySpreadConstraints:
    {{- range . }}
    - topologyKey: {{ . }}
      maxSkew: 1
      whenUnsatisfiable: ScheduleAnyway
      matchLabelKeys: [pod-template-hash]
      labelSelector:
        matchLabels:
          {{- include "postrider.selector" $selector | nindent 10 }}
    {{- end }}
  {{- end }}
  {{- end }}
  {{- with .settings.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .name }}
      {{- include "postrider.containerSecurity" . | nindent 6 }}
      # One helper thread of V8 saves CPU (docs/bench.md). Half of the limit is for objects, the rest for bodies and messages, which
      # are outside of the heap. `postrider.command` explains the size of the young generation.
      command: [{{ include "postrider.command" . }}]
      env:
        {{- $env | trim | nindent 8 }}
        {{- with .settings.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        {{- if .program.port }}
        - name: {{ .program.protocol }}
          containerPort: {{ .program.port }}
        {{- end }}
        - name: metrics
          containerPort: {{ .program.metricsPort }}
      # A process is alive if it responds. It is ready if its store responds and it has reached its peers. An unavailable
      # store makes pods unready and never restarts them.
      startupProbe:
        httpGet: { path: /livez, port: metrics }
        {{- toYaml .settings.startupProbe | nindent 8 }}
      livenessProbe:
        httpGet: { path: /livez, port: metrics }
        {{- toYaml .settings.livenessProbe | nindent 8 }}
      readinessProbe:
        httpGet: { path: /readyz, port: metrics }
        {{- toYaml .settings.readinessProbe | nindent 8 }}
      lifecycle:
        preStop:
          sleep:
            seconds: {{ .settings.preStopSeconds }}
      resources:
        {{- toYaml .settings.resources | nindent 8 }}
      volumeMounts:
        {{- include "postrider.mounts" $files | nindent 8 }}
    {{- with .settings.sidecars }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "postrider.volumes" $files | nindent 4 }}
{{- end }}

{{/*
The command of a service: Node with one thread that helps V8 and half of the memory limit as heap, unless NODE_OPTIONS is in `extraEnv`.
Semi-spaces of 16 MiB save CPU with long messages. They add 15 to 95 MiB to the peak of a process, for which a low limit has no room. A gateway with
long bodies uses most of 512 MiB even with 4 MiB.
*/}}
{{- define "postrider.command" -}}
{{- $limit := int (include "postrider.memory" . | fromJson).limitMiB }}
{{- $room := ternary 768 512 (eq .name "gateway") }}
{{- $hasOptions := false }}
{{- range .settings.extraEnv }}{{ if eq (toString .name) "NODE_OPTIONS" }}{{ $hasOptions = true }}{{ end }}{{ end -}}
node, {{ if not $hasOptions }}--v8-pool-size=1, {{ end }}--max-semi-space-size={{ if and $limit (lt $limit $room) }}4{{ else }}16{{ end }}, {{ if and $limit (not $hasOptions) }}--max-old-space-size={{ div $limit 2 }}, {{ end }}services/{{ .name }}/main.ts
{{- end }}

{{/*
Changes if secrets or trusted certificates change: those in the values, or each Secret and ConfigMap in the cluster at the time
of an upgrade. `helm template` cannot read the cluster.
*/}}
{{- define "postrider.secretsVersion" -}}
{{- if .Values.secrets.create }}{{ toJson .Values.secrets.values }}{{ end }}
{{- $names := concat (list .Values.wire.tlsSecret) (values .Values.wire.tlsSecrets) }}
{{- if not .Values.secrets.create }}{{ $names = append $names (include "postrider.secretName" .) }}{{ end }}
{{- range .Values.secrets.variables }}{{ $names = append $names .secret }}{{ end }}
{{- range $names | compact | uniq | sortAlpha }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace . | default dict }}
{{- printf "%s %s\n" . (dig "metadata" "resourceVersion" "" $secret) }}
{{- end }}
{{- with .Values.trust.configMap }}
{{- $trusted := lookup "v1" "ConfigMap" $.Release.Namespace . | default dict }}
{{- printf "%s %s\n" . (dig "metadata" "resourceVersion" "" $trusted) }}
{{- end }}
{{- end }}
