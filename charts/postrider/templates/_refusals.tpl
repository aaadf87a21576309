{{/* Refuses secrets in a block of plain variables. Messages never contain a value, because it may be a password. */}}
{{- define "postrider.refusals.config" -}}
{{- $at := .at }}
{{- $config := .config | default dict }}
{{- range $variable, $_ := omit .root.Values.secrets.variables "POSTRIDER_ROUTE" }}
{{- if hasKey $config $variable }}
{{ printf "%s.%s is a secret: store it in a Secret, under the key in secrets.variables.%s.key.\n" $at $variable $variable }}
{{- end }}
{{- end }}
{{- with $config.POSTRIDER_ROUTE }}
{{- if contains "@" . }}
{{ printf "%s.POSTRIDER_ROUTE contains a login: store it in a Secret, under the key in secrets.variables.POSTRIDER_ROUTE.key.\n" $at }}
{{- end }}
{{- include "postrider.refusals.address" (dict "at" $at "variable" "POSTRIDER_ROUTE" "value" .) }}
{{- end }}
{{- end }}

{{/* Refuses contradictory values of `secrets`. */}}
{{- define "postrider.refusals.secrets" -}}
{{- with .Values.secrets }}
{{- $values := .values }}
{{- $variables := .variables }}
{{- if and .create .existingSecret }}
{{ printf "secrets.create creates a Secret, and secrets.existingSecret names an existing one, %s: set only one of the two.\n" .existingSecret }}
{{- end }}
{{- if and $values (not .create) }}
{{ println "secrets.values are only used if secrets.create is true: set it, or store them in your own Secret." }}
{{- end }}
{{- range $variable, $value := $values }}
{{- if not (index $variables $variable).key }}
{{ printf "secrets.values.%s has no key in the Secret: set secrets.variables.%s.key.\n" $variable $variable }}
{{- end }}
{{- include "postrider.refusals.address" (dict "at" "secrets.values" "variable" $variable "value" $value) }}
{{ include "postrider.refusals.variable" (dict "at" (printf "secrets.values.%s" $variable) "variable" $variable "value" (toString $value)) }}
{{- end }}
{{- if and $variables.POSTRIDER_ROUTE.key $.Values.config.POSTRIDER_ROUTE }}
{{ println "The mail route is set twice, by config.POSTRIDER_ROUTE and by the Secret (secrets.variables.POSTRIDER_ROUTE.key): set only one of the two. To send nothing temporarily, set dispatcher.config.POSTRIDER_ROUTE to mailbox:, which overrides the Secret." }}
{{- end }}
{{- $tokens := include "postrider.wireTokens" $ | fromYamlArray }}
{{- range $variable, $reference := omit $variables (index $tokens 0) (index $tokens 1) (index $tokens 2) (index $tokens 3) }}
{{- if and $.Values.secrets.create $reference.key (not $reference.secret) (not (get $values $variable)) }}
{{ printf "secrets.create would create a Secret without %s: set secrets.values.%s.\n" $variable $variable }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses services that could not identify each other. */}}
{{- define "postrider.refusals.wire" -}}
{{- $values := .Values.secrets.values }}
{{- $own := and $values.POSTRIDER_WIRE_TOKEN_GATEWAY $values.POSTRIDER_WIRE_TOKEN_INTAKE $values.POSTRIDER_WIRE_TOKEN_ACCOUNTS }}
{{- $some := or $values.POSTRIDER_WIRE_TOKEN_GATEWAY $values.POSTRIDER_WIRE_TOKEN_INTAKE $values.POSTRIDER_WIRE_TOKEN_ACCOUNTS }}
{{- $identity := .Values.wire.identity }}
{{- if and .Values.secrets.create (eq $identity "token") (not $own) (or $some (not $values.POSTRIDER_WIRE_TOKEN)) }}
{{ println "secrets.create would create a Secret without the token of each caller: set secrets.values.POSTRIDER_WIRE_TOKEN_GATEWAY, secrets.values.POSTRIDER_WIRE_TOKEN_INTAKE and secrets.values.POSTRIDER_WIRE_TOKEN_ACCOUNTS." }}
{{- end }}
{{- $used := dict }}
{{- range $name, $program := include "postrider.programs" . | fromJson }}
{{- if has "POSTRIDER_WIRE_CA" $program.variables }}
{{- $secret := include "postrider.wireSecret" (dict "root" $ "name" $name) }}
{{- if and (eq $identity "certificate") (or (not $secret) (hasKey $used $secret)) }}
{{ printf "wire.identity is certificate, so each service needs its own certificate: set wire.tlsSecrets.%s to a Secret that no other service uses.\n" $name }}
{{- end }}
{{- $_ := set $used $secret true }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses an http public URL together with an Ingress or a Gateway with TLS: cookies would lack Secure, and links would lead to http. */}}
{{- define "postrider.refusals.publicUrl" -}}
{{- $settings := include "postrider.settings" (dict "root" . "name" "gateway") | fromJson }}
{{- $url := get (include "postrider.config" (dict "root" . "settings" $settings) | fromJson) "POSTRIDER_PUBLIC_URL" | toString }}
{{- range $settings.extraEnv }}
{{- if and (eq .name "POSTRIDER_PUBLIC_URL") .value }}{{ $url = .value }}{{ end }}
{{- end }}
{{- $at := "" }}
{{- with .Values.ingress }}
{{- if and .enabled .tlsSecret }}{{ $at = "ingress.tlsSecret" }}{{ end }}
{{- if and .enabled .tls }}{{ $at = "ingress.tls" }}{{ end }}
{{- range $name, $value := .annotations }}
{{- /* Annotations that make controllers serve TLS without a Secret, or redirect to it: by most values, or by one. */}}
{{- $serves := list "alb.ingress.kubernetes.io/certificate-arn" "alb.ingress.kubernetes.io/ssl-redirect" "networking.gke.io/managed-certificates" "ingress.gcp.kubernetes.io/pre-shared-cert" "nginx.ingress.kubernetes.io/force-ssl-redirect" "traefik.ingress.kubernetes.io/router.tls" "haproxy.org/ssl-redirect" "route.openshift.io/termination" "appgw.ingress.kubernetes.io/appgw-ssl-certificate" "appgw.ingress.kubernetes.io/ssl-redirect" }}
{{- $isSecure := or (and (has $name $serves) (not (has $value (list "" "false")))) (and (eq $name "alb.ingress.kubernetes.io/listen-ports") (contains "HTTPS" (toString $value))) (and (eq $name "traefik.ingress.kubernetes.io/router.entrypoints") (contains "websecure" (toString $value))) (and (eq $name "kubernetes.io/ingress.allow-http") (eq (toString $value) "false")) }}
{{- if and $.Values.ingress.enabled $isSecure }}{{ $at = printf "ingress.annotations.%s" $name }}{{ end }}
{{- end }}
{{- end }}
{{- with .Values.gatewayApi }}
{{- range $index, $parent := .parentRefs }}
{{- /* The listeners of a Gateway are in another object; these two fields select the one for HTTPS. */}}
{{- $https := or (eq (int $parent.port) 443) (regexMatch "(^|-)(https|tls)(-|$)" ($parent.sectionName | default "")) }}
{{- if and $.Values.gatewayApi.enabled $https }}{{ $at = printf "gatewayApi.parentRefs[%d]" $index }}{{ end }}
{{- end }}
{{- end }}
{{- if and $at (hasPrefix "http://" (lower (trim $url))) }}
{{ printf "%s serves TLS, and config.POSTRIDER_PUBLIC_URL begins with http://: set it to the https:// URL that users open, since links and cookies follow it.\n" $at }}
{{- end }}
{{- end }}

{{/* Refuses an address with the wrong scheme. */}}
{{- define "postrider.refusals.address" -}}
{{- $beginnings := dict "MONGODB_URL" "mongodb:// mongodb+srv://" "REDIS_URL" "redis:// rediss://" "POSTRIDER_ROUTE" "mailbox: smtp:// smtps://" }}
{{- $value := .value }}
{{- with get $beginnings .variable }}
{{- $fits := false }}
{{- range $beginning := splitList " " . }}
{{- if hasPrefix $beginning $value }}{{ $fits = true }}{{ end }}
{{- end }}
{{- if not $fits }}
{{ printf "%s.%s must begin with %s.\n" $.at $.variable (splitList " " . | join " or ") }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses a program without a required variable, from any source. */}}
{{- define "postrider.refusals.missing" -}}
{{- $name := .name }}
{{- $variables := .root.Values.secrets.variables }}
{{- $given := include "postrider.fixed" . | fromYaml }}
{{- range $variable, $value := include "postrider.config" . | fromJson }}
{{- if ne (toString $value) "" }}{{ $_ := set $given $variable true }}{{ end }}
{{- end }}
{{- range $variable, $reference := $variables }}
{{- if $reference.key }}{{ $_ := set $given $variable true }}{{ end }}
{{- end }}
{{- range .settings.extraEnv }}
{{- $_ := set $given (toString .name) true }}
{{- end }}
{{- $at := dict }}
{{- range $variable := .program.variables }}
{{- $_ := set $at $variable (printf (ternary "secrets.variables.%s.key" "config.%s" (hasKey $variables $variable)) $variable) }}
{{- end }}
{{- range $variable := .program.required }}
{{- if not (hasKey $given $variable) }}
{{ printf "%s requires %s: set %s, or add it to extraEnv.\n" $name $variable (get $at $variable) }}
{{- end }}
{{- end }}
{{- $login := pick $at "KAFKA_SASL" "KAFKA_USERNAME" "KAFKA_PASSWORD" }}
{{- range $variable, $where := $login }}
{{- range $other, $_ := $login }}
{{- if and (hasKey $given $other) (not (hasKey $given $variable)) }}
{{ printf "%s has %s without %s: set %s, or add it to extraEnv.\n" $name $other $variable $where }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
