{{/* Refuses values of one service's pods that Kubernetes would refuse later, or that would have no effect. */}}
{{- define "postrider.refusals.pods" -}}
{{- $name := .name }}
{{- $own := index .root.Values $name }}
{{- $settings := .settings }}
{{- $scales := include "postrider.scales" . }}
{{- $least := int (ternary $settings.autoscaling.minReplicas ($settings.replicas | default 2) (not (empty $scales))) }}
{{- if and $scales (hasKey $own "replicas") $own.replicas }}
{{ printf "%s.replicas is %d, but autoscaling sets the number of replicas: set %s.autoscaling.minReplicas and maxReplicas, or %s.autoscaling.enabled=false.\n" $name (int $own.replicas) $name $name }}
{{- end }}
{{- $most := toString $settings.maxUnavailable }}
{{- $at := printf "%s.maxUnavailable" (ternary $name "defaults" (hasKey $own "maxUnavailable")) }}
{{- if regexMatch "^0+%?$" $most }}
{{ printf "%s is %s, so no node could ever be drained: set it to 1 or more.\n" $at $most }}
{{- else if and (hasSuffix "%" $most) (gt (trimSuffix "%" $most | atoi) 100) }}
{{ printf "%s is %s: set it to at most 100%%.\n" $at $most }}
{{- else if not (hasSuffix "%" $most) }}
{{- if and (gt (int $settings.maxUnavailable) $least) (eq $least 1) }}
{{ printf "%s is %s, and %s may have only 1 replica: set it to 1.\n" $at $most $name }}
{{- else if gt (int $settings.maxUnavailable) $least }}
{{ printf "%s is %s, and %s may have only %d replicas: set it to less than that.\n" $at $most $name $least }}
{{- else if and (eq (int $settings.maxUnavailable) $least) (gt $least 1) }}
{{ printf "%s is %s, and %s may have only %d replicas, so a drain could stop all together: set it to less than that.\n" $at $most $name $least }}
{{- end }}
{{- else if and (eq $most "100%") (gt $least 1) }}
{{ printf "%s is 100%%, so a drain could stop all replicas of %s together: set it to less.\n" $at $name }}
{{- end }}
{{ include "postrider.refusals.resources" (dict "at" (printf "%s.resources" $name) "resources" $settings.resources) }}
{{ include "postrider.refusals.labels" (dict "at" (printf "%s.podLabels" (ternary $name "defaults" (hasKey $own "podLabels"))) "labels" $settings.podLabels) }}
{{- range $index, $one := $settings.extraEnv }}
{{- $from := printf "%s.extraEnv[%d]" (ternary $name "defaults" (hasKey $own "extraEnv")) $index }}
{{- if not $one.name }}
{{ printf "%s has no name: add the name of the variable.\n" $from }}
{{- else if has $one.name (list "PORT" "METRICS_PORT" "POSTRIDER_HOST") }}
{{ printf "%s sets %s, which the ports and probes of the chart rely on: remove it.\n" $from $one.name }}
{{- end }}
{{- end }}
{{- range $key, $taken := dict "extraVolumes" (list "tmp" "wire" "trust") "initContainers" (list $name) "sidecars" (list $name) }}
{{- $seen := dict }}
{{- range $index, $one := get $settings $key }}
{{- $from := printf "%s.%s[%d]" (ternary $name "defaults" (hasKey $own $key)) $key $index }}
{{- if not $one.name }}
{{ printf "%s has no name: add one.\n" $from }}
{{- else if has $one.name $taken }}
{{ printf "%s has the name %s, which the chart uses: choose another.\n" $from $one.name }}
{{- else if hasKey $seen (toString $one.name) }}
{{ printf "%s has the name %s, as an entry before it: choose another.\n" $from $one.name }}
{{- end }}
{{- $_ := set $seen (toString $one.name) true }}
{{- end }}
{{- end }}
{{- range $index, $one := $settings.extraVolumeMounts }}
{{- $from := printf "%s.extraVolumeMounts[%d]" (ternary $name "defaults" (hasKey $own "extraVolumeMounts")) $index }}
{{- $volumes := list "tmp" }}
{{- range $settings.extraVolumes }}{{ $volumes = append $volumes .name }}{{ end }}
{{- if not (has $one.name $volumes) }}
{{ printf "%s mounts the volume %v, which does not exist: add it to extraVolumes.\n" $from $one.name }}
{{- else if has (trimSuffix "/" (toString $one.mountPath)) (list "/tmp" "/etc/postrider/wire" "/etc/postrider/trust" "/opt/postrider" "") }}
{{ printf "%s has the mountPath %v, where the image or the chart has files: choose another.\n" $from $one.mountPath }}
{{- end }}
{{- end }}
{{- if and $settings.serviceAccountName $settings.serviceAccountAnnotations }}
{{ printf "%s.serviceAccountName names an existing ServiceAccount, so %s.serviceAccountAnnotations have no effect: set them on that ServiceAccount, or remove one of the two.\n" $name $name }}
{{- end }}
{{- if and $settings.dnsConfig (eq (toString $settings.dnsPolicy) "None") (not $settings.dnsConfig.nameservers) }}
{{ printf "%s.dnsPolicy is None without %s.dnsConfig.nameservers, so no name would resolve: add a server.\n" $name $name }}
{{- else if and (eq (toString $settings.dnsPolicy) "None") (not $settings.dnsConfig) }}
{{ printf "%s.dnsPolicy is None without %s.dnsConfig.nameservers, so no name would resolve: add a server.\n" $name $name }}
{{- end }}
{{- end }}

{{/* `yes` if an autoscaler sets the number of replicas of a service. */}}
{{- define "postrider.scales" -}}
{{- if or .settings.autoscaling.enabled (dig "keda" "enabled" false .settings) }}yes{{ end }}
{{- end }}

{{/* Refuses `defaults.replicas` if every service that would use it is scaled. */}}
{{- define "postrider.refusals.replicas" -}}
{{- if .Values.defaults.replicas }}
{{- $isUsed := false }}
{{- range $name, $_ := include "postrider.programs" . | fromJson }}
{{- $settings := include "postrider.settings" (dict "root" $ "name" $name) | fromJson }}
{{- if not (or (include "postrider.scales" (dict "settings" $settings)) (index $.Values $name).replicas) }}{{ $isUsed = true }}{{ end }}
{{- end }}
{{- if not $isUsed }}
{{ printf "defaults.replicas is %d, but autoscaling sets the number of replicas of every service: set defaults.autoscaling.minReplicas and maxReplicas, or defaults.autoscaling.enabled=false.\n" (int .Values.defaults.replicas) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses limits below requests, and thousandths of a byte. */}}
{{- define "postrider.refusals.resources" -}}
{{- $at := .at }}
{{- $requests := .resources.requests | default dict }}
{{- $limits := .resources.limits | default dict }}
{{- range $kind, $amounts := dict "requests" $requests "limits" $limits }}
{{- if and $amounts.memory (hasSuffix "m" (toString $amounts.memory)) }}
{{ printf "%s.%s.memory is %v, which is thousandths of a byte: write Mi for mebibytes.\n" $at $kind $amounts.memory }}
{{- end }}
{{- end }}
{{- range $what := list "cpu" "memory" }}
{{- $request := get $requests $what }}
{{- $limit := get $limits $what }}
{{- if and $request $limit (lt (include "postrider.amount" $limit | float64) (include "postrider.amount" $request | float64)) }}
{{ printf "%s.limits.%s is %v, below %s.requests.%s, which is %v: raise the limit or lower the request.\n" $at $what $limit $at $what $request }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses labels that the selectors of the chart rely on. */}}
{{- define "postrider.refusals.labels" -}}
{{- $at := .at }}
{{- range $label, $_ := .labels }}
{{- if has $label (list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" "app.kubernetes.io/version" "app.kubernetes.io/managed-by" "helm.sh/chart") }}
{{ printf "%s has %s, which the chart sets and selects pods by: use another label.\n" $at $label }}
{{- end }}
{{- end }}
{{- end }}
