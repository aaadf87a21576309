{{/*
Refuses Secrets, keys and ConfigMaps that pods need and the cluster does not have. Without a cluster, as in `helm
template`, `lookup` returns nothing, and nothing is refused. Helm stores its releases in Secrets, so it may list them.
*/}}
{{- define "postrider.refusals.cluster" -}}
{{- $list := lookup "v1" "Secret" .Release.Namespace "" }}
{{- if and .Values.secrets.check $list }}
{{- $secrets := dict }}
{{- range $list.items }}{{ $_ := set $secrets .metadata.name (dict "keys" (.data | default dict)) }}{{ end }}
{{- $needs := dict }}
{{- $secretName := include "postrider.secretName" . }}
{{- $optional := include "postrider.wireTokens" . | fromYamlArray }}
{{- $reads := dict }}
{{- range $name, $program := include "postrider.programs" . | fromJson }}
{{- $own := (include "postrider.settings" (dict "root" $ "name" $name) | fromJson).config }}
{{- range $program.variables }}
{{- if not (get $own .) }}{{ $_ := set $reads . true }}{{ end }}
{{- end }}
{{- end }}
{{- range $variable, $reference := .Values.secrets.variables }}
{{- $name := $reference.secret | default $secretName }}
{{- if and $reference.key (hasKey $reads $variable) (not (and $.Values.secrets.create (not $reference.secret))) }}
{{- $keys := get $needs $name | default list }}
{{- if not (has $variable $optional) }}{{ $keys = append $keys (dict "key" $reference.key "for" (printf "secrets.variables.%s" $variable)) }}{{ end }}
{{- $_ := set $needs $name $keys }}
{{- end }}
{{- end }}
{{- range $name, $program := include "postrider.programs" . | fromJson }}
{{- $tls := include "postrider.wireSecret" (dict "root" $ "name" $name) }}
{{- if and $tls (has "POSTRIDER_WIRE_CA" $program.variables) }}
{{- $keys := get $needs $tls | default list }}
{{- range list "ca.crt" "tls.crt" "tls.key" }}{{ $keys = append $keys (dict "key" . "for" "wire.tlsSecret") }}{{ end }}
{{- $_ := set $needs $tls $keys }}
{{- end }}
{{- end }}
{{- range $name, $keys := $needs }}
{{- $secret := get $secrets $name }}
{{- if not $secret }}
{{- $missing := list }}
{{- range $keys }}{{ $missing = append $missing .key }}{{ end }}
{{ printf "The Secret %s does not exist in the namespace %s: create it with the keys %s; the chart's README.md shows how.\n" $name $.Release.Namespace ($missing | uniq | join ", ") }}
{{- else }}
{{- range $keys }}
{{- if not (hasKey $secret.keys .key) }}
{{ printf "The Secret %s has no key %s: add it, or set %s to where it is.\n" $name .key .for }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- $secret := get $secrets $secretName }}
{{- if and $secret (eq .Values.wire.identity "token") (not .Values.secrets.create) }}
{{- $has := dict }}
{{- range $variable := $optional }}
{{- $reference := index $.Values.secrets.variables $variable }}
{{- $from := get $secrets ($reference.secret | default $secretName) }}
{{- if and $from $reference.key (hasKey $from.keys $reference.key) }}{{ $_ := set $has $variable true }}{{ end }}
{{- end }}
{{- $isByExtraEnv := contains "POSTRIDER_WIRE_TOKEN" (toJson (list .Values.defaults.extraEnv .Values.gateway.extraEnv .Values.intake.extraEnv)) }}
{{- if not (or $isByExtraEnv (hasKey $has "POSTRIDER_WIRE_TOKEN") (and (hasKey $has "POSTRIDER_WIRE_TOKEN_GATEWAY") (hasKey $has "POSTRIDER_WIRE_TOKEN_INTAKE") (hasKey $has "POSTRIDER_WIRE_TOKEN_ACCOUNTS"))) }}
{{ printf "The Secret %s has no wire tokens: add the keys %s, %s and %s, each from `openssl rand -hex 32`.\n" $secretName .Values.secrets.variables.POSTRIDER_WIRE_TOKEN_GATEWAY.key .Values.secrets.variables.POSTRIDER_WIRE_TOKEN_INTAKE.key .Values.secrets.variables.POSTRIDER_WIRE_TOKEN_ACCOUNTS.key }}
{{- end }}
{{- end }}
{{- with .Values.trust.configMap }}
{{- $trusted := lookup "v1" "ConfigMap" $.Release.Namespace . }}
{{- if not (hasKey ($trusted.data | default dict) $.Values.trust.key) }}
{{ printf "The ConfigMap %s has no key %s, or does not exist in the namespace %s: create it with the certificate authorities (PEM).\n" . $.Values.trust.key $.Release.Namespace }}
{{- end }}
{{- end }}
{{- with .Values.test.existingSecret }}
{{- $secret := get $secrets . }}
{{- if and $secret (not (hasKey $secret.keys $.Values.test.key)) }}
{{ printf "The Secret %s has no key %s: add it, or set test.key to another.\n" . $.Values.test.key }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
