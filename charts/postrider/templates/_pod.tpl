{{/* Security of every pod: the standard "restricted". */}}
{{- define "postrider.podSecurity" -}}
automountServiceAccountToken: false
# Variables derived from the names of Services would look like Postrider's.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Scheduling of a pod. */}}
{{- define "postrider.place" -}}
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
image: {{ include "postrider.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
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
{{- end }}

{{/* The pod of one service, from `root`, `name`, `program` and `settings`. */}}
{{- define "postrider.pod" -}}
{{- $root := .root }}
{{- $selector := dict "root" $root "name" .name }}
{{- $files := dict "root" $root "name" .name "variables" .program.variables }}
metadata:
  labels:
    {{- include "postrider.selector" $selector | nindent 4 }}
    app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
    {{- with .settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # Pods roll if their environment or the created Secret changes; on an upgrade also if your Secrets or certificates changed.
    checksum/config: {{ include "postrider.env" . | sha256sum }}
    checksum/secrets: {{ include "postrider.secretsVersion" $root | sha256sum }}
    {{- with .settings.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "postrider.fullname" $root }}-{{ .name }}
  {{- include "postrider.podSecurity" $root | nindent 2 }}
  # Longer than the pause plus the 25 s that a program may need to drain.
  terminationGracePeriodSeconds: {{ add .settings.preStopSeconds 35 }}
  {{- with include "postrider.place" .settings | trim }}
  {{- . | nindent 2 }}
  {{- end }}
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
  containers:
    - name: {{ .name }}
      {{- include "postrider.containerSecurity" $root | nindent 6 }}
      # A small young generation saves memory at almost no CPU cost (docs/bench.md).
      command: [node, --max-semi-space-size=4, services/{{ .name }}/main.ts]
      env:
        {{- include "postrider.env" . | trim | nindent 8 }}
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
      # A process is alive if it answers at all. It is ready if its store answers and it has reached its peers. An unavailable
      # store makes pods unready and never restarts them.
      startupProbe:
        httpGet: { path: /livez, port: metrics }
        periodSeconds: 1
        timeoutSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /livez, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: { path: /readyz, port: metrics }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      lifecycle:
        preStop:
          sleep:
            seconds: {{ .settings.preStopSeconds }}
      resources:
        {{- toYaml .settings.resources | nindent 8 }}
      volumeMounts:
        {{- include "postrider.mounts" $files | nindent 8 }}
  volumes:
    {{- include "postrider.volumes" $files | nindent 4 }}
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
