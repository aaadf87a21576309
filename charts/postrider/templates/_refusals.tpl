{{/* A block of variables in clear: no secret, and a route that is one. What it holds is never repeated: it may be a password. */}}
{{- define "postrider.refusals.config" -}}
{{- $at := .at }}
{{- $config := .config | default dict }}
{{- range $variable, $_ := omit .root.Values.secrets.variables "POSTRIDER_ROUTE" }}
{{- if hasKey $config $variable }}
{{- fail (printf "%s.%s is a secret: keep it in a Secret, under the key that secrets.variables.%s.key names." $at $variable $variable) }}
{{- end }}
{{- end }}
{{- with $config.POSTRIDER_ROUTE }}
{{- if contains "@" . }}
{{- fail (printf "%s.POSTRIDER_ROUTE has a login: keep it in a Secret, under the key that secrets.variables.POSTRIDER_ROUTE.key names." $at) }}
{{- end }}
{{- include "postrider.refusals.address" (dict "at" $at "variable" "POSTRIDER_ROUTE" "value" .) }}
{{- end }}
{{- end }}

{{/* The Secret that is made, or yours. */}}
{{- define "postrider.refusals.secrets" -}}
{{- with .Values.secrets }}
{{- $values := .values }}
{{- $variables := .variables }}
{{- if and .create .existingSecret }}
{{- fail (printf "secrets.create makes a Secret of its own, and secrets.existingSecret names yours, %s: give one of the two." .existingSecret) }}
{{- end }}
{{- if and $values (not .create) }}
{{- fail "secrets.values are used where secrets.create is true alone: set it, or keep them in a Secret of yours." }}
{{- end }}
{{- range $variable, $value := $values }}
{{- if not (index $variables $variable).key }}
{{- fail (printf "secrets.values.%s has no key to be kept under: set secrets.variables.%s.key." $variable $variable) }}
{{- end }}
{{- include "postrider.refusals.address" (dict "at" "secrets.values" "variable" $variable "value" $value) }}
{{- end }}
{{- if and $variables.POSTRIDER_ROUTE.key $.Values.config.POSTRIDER_ROUTE }}
{{- fail "The route is in config.POSTRIDER_ROUTE and in the Secret's key secrets.variables.POSTRIDER_ROUTE.key: give one of the two. To send nothing for a while set dispatcher.config.POSTRIDER_ROUTE to mailbox:, which wins over the Secret's." }}
{{- end }}
{{- range $variable, $reference := $variables }}
{{- if and $.Values.secrets.create $reference.key (not $reference.secret) (not (get $values $variable)) }}
{{- fail (printf "secrets.create makes a Secret without %s: set secrets.values.%s." $variable $variable) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* What begins as no address of its kind does. */}}
{{- define "postrider.refusals.address" -}}
{{- $beginnings := dict "MONGODB_URL" "mongodb:// mongodb+srv://" "REDIS_URL" "redis:// rediss://" "POSTRIDER_ROUTE" "mailbox: smtp:// smtps://" }}
{{- $value := .value }}
{{- with get $beginnings .variable }}
{{- $fits := false }}
{{- range $beginning := splitList " " . }}
{{- if hasPrefix $beginning $value }}{{ $fits = true }}{{ end }}
{{- end }}
{{- if not $fits }}
{{- fail (printf "%s.%s must begin with %s." $.at $.variable (splitList " " . | join " or ")) }}
{{- end }}
{{- end }}
{{- end }}

{{/* What one program can't be without, from wherever it may come. */}}
{{- define "postrider.refusals.missing" -}}
{{- $name := .name }}
{{- $variables := .root.Values.secrets.variables }}
{{- $given := include "postrider.fixed" . | fromYaml }}
{{- range $variable, $value := include "postrider.config" . | fromYaml }}
{{- if ne (toString $value) "" }}{{ $_ := set $given $variable true }}{{ end }}
{{- end }}
{{- range $variable, $reference := $variables }}
{{- if $reference.key }}{{ $_ := set $given $variable true }}{{ end }}
{{- end }}
{{- range .settings.extraEnv }}
{{- $_ := set $given .name true }}
{{- end }}
{{- $at := dict }}
{{- range $variable := .program.variables }}
{{- $_ := set $at $variable (printf (ternary "secrets.variables.%s.key" "config.%s" (hasKey $variables $variable)) $variable) }}
{{- end }}
{{- range $variable := .program.required }}
{{- if not (hasKey $given $variable) }}
{{- fail (printf "%s can't be without %s: set %s, or give it in extraEnv." $name $variable (get $at $variable)) }}
{{- end }}
{{- end }}
{{- $login := pick $at "KAFKA_SASL" "KAFKA_USERNAME" "KAFKA_PASSWORD" }}
{{- range $variable, $where := $login }}
{{- range $other, $_ := $login }}
{{- if and (hasKey $given $other) (not (hasKey $given $variable)) }}
{{- fail (printf "%s has %s without %s: set %s, or give it in extraEnv." $name $other $variable $where) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
