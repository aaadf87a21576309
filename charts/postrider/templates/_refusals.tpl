{{/* Prints one line for each fault, so that an operator sees all of them together. */}}
{{- define "postrider.refusals" -}}
{{- $name := include "postrider.fullname" . }}
{{- if not (regexMatch "^[a-z]" $name) }}
{{ printf "Names of Services must begin with a letter, but these would begin with %q: set fullnameOverride.\n" $name }}
{{- end }}
{{- $services := include "postrider.programs" . | fromJson }}
{{ include "postrider.refusals.config" (dict "root" . "at" "config" "config" .Values.config) }}
{{ include "postrider.refusals.config" (dict "root" . "at" "defaults.config" "config" .Values.defaults.config) }}
{{- range $name, $_ := $services }}
{{ include "postrider.refusals.config" (dict "root" $ "at" (printf "%s.config" $name) "config" (index $.Values $name).config) }}
{{- end }}
{{ include "postrider.refusals.secrets" . }}
{{ include "postrider.refusals.wire" . }}
{{ include "postrider.refusals.publicUrl" . }}
{{ include "postrider.refusals.variables" . }}
{{ include "postrider.refusals.image" . }}
{{ include "postrider.refusals.entry" . }}
{{ include "postrider.refusals.monitoring" . }}
{{ include "postrider.refusals.replicas" . }}
{{ include "postrider.refusals.memory" . }}
{{ include "postrider.refusals.labels" (dict "at" "commonLabels" "labels" .Values.commonLabels) }}
{{ include "postrider.refusals.resources" (dict "at" "prepare.resources" "resources" .Values.prepare.resources) }}
{{ include "postrider.refusals.cluster" . }}
{{- range $name, $program := $services }}
{{- $settings := include "postrider.settings" (dict "root" $ "name" $name) | fromJson }}
{{- $least := int $settings.autoscaling.minReplicas }}
{{- $most := int $settings.autoscaling.maxReplicas }}
{{- if and (include "postrider.scales" (dict "settings" $settings)) (gt $least $most) }}
{{ printf "%s.autoscaling: minReplicas is %d and maxReplicas is %d; minReplicas must not exceed maxReplicas.\n" $name $least $most }}
{{- end }}
{{ include "postrider.refusals.pods" (dict "root" $ "name" $name "settings" $settings) }}
{{ include "postrider.refusals.missing" (dict "root" $ "name" $name "program" $program "settings" $settings) }}
{{- end }}
{{- if .Values.prepare.enabled }}
{{- $program := .Files.Get "files/prepare.json" | fromJson }}
{{ include "postrider.refusals.missing" (dict "root" . "name" "prepare" "program" $program "settings" .Values.defaults) }}
{{- end }}
{{- with .Values.dispatcher.keda }}
{{- $config := include "postrider.config" (dict "root" $ "settings" (include "postrider.settings" (dict "root" $ "name" "dispatcher") | fromJson)) | fromJson }}
{{- if and .enabled (eq .signal "kafkaLag") $config.KAFKA_SASL }}
{{- range $variable := list "KAFKA_USERNAME" "KAFKA_PASSWORD" }}
{{- if not (index $.Values.secrets.variables $variable).key }}
{{ printf "dispatcher.keda queries Kafka with the login of KAFKA_SASL: set secrets.variables.%s.key to its key.\n" $variable }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

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

{{/*
Refuses two public URLs, and an http public URL together with an Ingress, a Gateway or a load balancer with TLS: cookies would lack
Secure, and links would lead to http. The gateway sets the cookies and accounts makes the links, so each program that reads the URL is checked.
*/}}
{{- define "postrider.refusals.publicUrl" -}}
{{- $tls := include "postrider.servesTls" . }}
{{- $urls := dict }}
{{- range $name, $program := include "postrider.programs" . | fromJson }}
{{- if has "POSTRIDER_PUBLIC_URL" $program.variables }}
{{- $given := include "postrider.value" (dict "root" $ "name" $name "variable" "POSTRIDER_PUBLIC_URL") | fromJson }}
{{- $url := $given.value | trim | lower | trimSuffix "/" }}
{{- if $url }}
{{- $_ := set $urls $given.at (trimSuffix (ternary ":443" ":80" (hasPrefix "https:" $url)) $url) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $at, $url := $urls }}
{{- if and $tls (hasPrefix "http://" $url) }}
{{ printf "%s serves TLS, and the public URL in %s begins with http://: set it to the https:// URL that users open, since links and cookies follow it.\n" $tls $at }}
{{- end }}
{{- end }}
{{- if gt (values $urls | uniq | len) 1 }}
{{ printf "%s are different public URLs: set them to the one that users open, since the gateway makes cookies for its URL, and accounts makes links with its own.\n" (keys $urls | sortAlpha | join " and ") }}
{{- end }}
{{- end }}

{{/* The path of a value that makes the entry serve TLS, or nothing. */}}
{{- define "postrider.servesTls" -}}
{{- $at := "" }}
{{- $classes := list "tailscale" "ngrok" "cloudflare-tunnel" "pomerium" }}
{{- if .Values.ingress.enabled }}
{{- with .Values.ingress }}
{{- if .tlsSecret }}{{ $at = "ingress.tlsSecret" }}{{ end }}
{{- if .tls }}{{ $at = "ingress.tls" }}{{ end }}
{{- /* These controllers serve HTTPS with certificates of their own. */}}
{{- if has .className $classes }}{{ $at = "ingress.className" }}{{ end }}
{{- range $name, $value := .annotations }}
{{- $value = toString $value | trim | lower }}
{{- /* Annotations that make controllers serve TLS without a Secret, or redirect to it: by most values, or by one. */}}
{{- $serves := "(/router\\.tls(\\..*)?|ssl-redirect|/certificate-arn|/managed-certificates|/pre-shared-cert|/termination|/appgw-ssl-certificate|/tls-cert-keyvault-uri|/redirect-to-https|/http-to-https|/force-https|/https-redirect-status-code|haproxy\\.org/ssl-certificate|/aws-load-balancer-ssl-cert)$" }}
{{- $values := dict "/listen-ports" "https" "/router.entrypoints" "websecure|https" "/protocols" "https|grpcs" "/ingress.allow-http" "^false$" "/ingress.class" (printf "^(%s)$" (join "|" $classes)) }}
{{- $isSecure := and (regexMatch $serves $name) (not (has $value (list "" "false" "no" "off" "0"))) }}
{{- range $suffix, $secure := $values }}
{{- if and (hasSuffix $suffix $name) (regexMatch $secure $value) }}{{ $isSecure = true }}{{ end }}
{{- end }}
{{- if $isSecure }}{{ $at = printf "ingress.annotations.%s" $name }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- if .Values.gatewayApi.enabled }}
{{- range $index, $parent := .Values.gatewayApi.parentRefs }}
{{- /* The listeners of a Gateway are in another object; these two fields select the one for HTTPS. */}}
{{- $isNamed := regexMatch "(^|[-.])(https|tls|ssl|(web)?secure)\\d*([-.]|$)" ($parent.sectionName | default "") }}
{{- if or $isNamed (has (int $parent.port) (list 443 8443)) }}{{ $at = printf "gatewayApi.parentRefs[%d]" $index }}{{ end }}
{{- end }}
{{- end }}
{{- if ne .Values.gateway.service.type "ClusterIP" }}
{{- /*
Annotations of a Service that give its load balancer a certificate: AWS, DigitalOcean, Oracle, Scaleway, Vultr, Alibaba, OpenStack,
Hetzner, and Linode, whose annotation of a port has other settings too.
*/}}
{{- range $name, $value := .Values.gateway.service.annotations }}
{{- $serves := "/(aws-load-balancer-ssl-cert|do-loadbalancer-certificate-(id|name)|oci-load-balancer-tls-secret|scw-loadbalancer-certificate-ids|vultr-loadbalancer-ssl|alibaba-cloud-loadbalancer-cert-id|default-tls-container-ref|http-(certificates|managed-certificate-domains))$" }}
{{- $isOfPort := and (regexMatch "/linode-loadbalancer-port-\\d+$" $name) (contains "tls-secret-name" (toString $value)) }}
{{- if or $isOfPort (and (regexMatch $serves $name) (toString $value | trim)) }}{{ $at = printf "gateway.service.annotations.%s" $name }}{{ end }}
{{- end }}
{{- end }}
{{- $at }}
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
