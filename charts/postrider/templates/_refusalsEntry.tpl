{{/* Refuses an Ingress or HTTPRoute that users could not use, or behind which all clients would count as one. */}}
{{- define "postrider.refusals.entry" -}}
{{- $url := include "postrider.value" (dict "root" . "name" "gateway" "variable" "POSTRIDER_PUBLIC_URL") | fromJson }}
{{- $proxies := include "postrider.value" (dict "root" . "name" "gateway" "variable" "POSTRIDER_TRUSTED_PROXIES") | fromJson }}
{{- $hosts := list }}
{{- $named := list }}
{{- $enabled := list }}
{{- with .Values.ingress }}
{{- if .enabled }}
{{- $enabled = append $enabled "ingress" }}
{{- $named = append $named "ingress.hosts" }}
{{- $hosts = concat $hosts .hosts }}
{{- if and .tls .tlsSecret }}
{{ println "ingress.tls and ingress.tlsSecret both set certificates: move the Secret of ingress.tlsSecret to an entry of ingress.tls." }}
{{- end }}
{{- range $index, $one := .tls }}
{{- range $one.hosts }}
{{- if not (has . $.Values.ingress.hosts) }}
{{ printf "ingress.tls[%d].hosts has %s, which is not in ingress.hosts: add it there, or remove it here.\n" $index . }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.gatewayApi }}
{{- if .enabled }}
{{- $enabled = append $enabled "gatewayApi" }}
{{- if .hostnames }}
{{- $named = append $named "gatewayApi.hostnames" }}
{{- $hosts = concat $hosts .hostnames }}
{{- end }}
{{- end }}
{{- end }}
{{- if and $hosts $url.value (include "postrider.isPublicUrl" (trim $url.value)) (not (and .Values.gatewayApi.enabled (not .Values.gatewayApi.hostnames))) }}
{{- $host := regexReplaceAll "^(?i)https?://|:\\d+/?$|/$" (trim $url.value) "" | lower }}
{{- $isServed := false }}
{{- range $hosts }}
{{- $served := lower . }}
{{- if or (eq $served $host) (and (hasPrefix "*." $served) (hasSuffix (trimPrefix "*" $served) $host)) }}{{ $isServed = true }}{{ end }}
{{- end }}
{{- if not $isServed }}
{{ printf "%s has the host %s, but %s has %s: links and cookies would lead elsewhere; set both to the host that users open.\n" $url.at $host (join " and " $named) (join ", " $hosts) }}
{{- end }}
{{- end }}
{{- range $enabled }}
{{- if and (not $proxies.value) (not $proxies.isHidden) }}
{{ printf "%s.enabled puts a proxy before the gateway, and config.POSTRIDER_TRUSTED_PROXIES is empty, so all clients would share one rate limit: set it to the addresses of the proxy, such as the pod network 10.0.0.0/8.\n" . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses monitoring that would collect each series twice, or alerts with links that lead nowhere. */}}
{{- define "postrider.refusals.monitoring" -}}
{{- with .Values.monitoring }}
{{- if and .rules.enabled (not .rules.runbooks) }}
{{ println "monitoring.rules.runbooks is empty, so the links of alerts would lead nowhere: set it to the URL at which you publish docs/runbooks, such as https://wiki.example.com/runbooks." }}
{{- end }}
{{- if and .serviceMonitor.enabled .podMonitor.enabled }}
{{ println "monitoring.serviceMonitor.enabled and monitoring.podMonitor.enabled are both true, so Prometheus would read each pod twice: enable one of them." }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses an image reference that the kubelet could not read, or whose tag would be appended to a tag. */}}
{{- define "postrider.refusals.image" -}}
{{- with .Values.image }}
{{- $last := splitList "/" .repository | last }}
{{- if contains "://" .repository }}
{{ println "image.repository must not begin with a scheme: remove it, such as images.example.com/postrider." }}
{{- else if contains "@" $last }}
{{ println "image.repository contains a digest: move what follows the @ to image.digest." }}
{{- else if contains ":" $last }}
{{ println "image.repository contains a tag: move what follows the last colon to image.tag." }}
{{- else if not (regexMatch "^[a-zA-Z0-9][a-zA-Z0-9.-]*(:\\d+)?(/[a-z0-9][a-z0-9._-]*)+$|^[a-z0-9][a-z0-9._-]*$" .repository) }}
{{ println "image.repository is not the name of an image: write lower-case letters, digits, '.', '_' and '-' between the slashes, such as images.example.com/postrider." }}
{{- end }}
{{- if and .tag (not (regexMatch "^\\w[\\w.-]{0,127}$" (toString .tag))) }}
{{ println "image.tag is not a tag: write letters, digits, '.', '_' and '-' only; a digest belongs to image.digest." }}
{{- end }}
{{- end }}
{{- end }}
