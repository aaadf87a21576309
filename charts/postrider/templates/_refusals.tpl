{{/* Refuses secrets in a block of plain variables. Messages never contain a value, because it may be a password. */}}
{{- define "postrider.refusals.config" -}}
{{- $at := .at }}
{{- $config := .config | default dict }}
{{- range $variable, $_ := omit .root.Values.secrets.variables "POSTRIDER_ROUTE" }}
{{- if hasKey $config $variable }}
{{- fail (printf "%s.%s is a secret: store it in a Secret, under the key in secrets.variables.%s.key." $at $variable $variable) }}
{{- end }}
{{- end }}
{{- with $config.POSTRIDER_ROUTE }}
{{- if contains "@" . }}
{{- fail (printf "%s.POSTRIDER_ROUTE contains a login: store it in a Secret, under the key in secrets.variables.POSTRIDER_ROUTE.key." $at) }}
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
{{- fail (printf "secrets.create creates a Secret, and secrets.existingSecret names an existing one, %s: set only one of the two." .existingSecret) }}
{{- end }}
{{- if and $values (not .create) }}
{{- fail "secrets.values are only used if secrets.create is true: set it, or store them in your own Secret." }}
{{- end }}
{{- range $variable, $value := $values }}
{{- if not (index $variables $variable).key }}
{{- fail (printf "secrets.values.%s has no key in the Secret: set secrets.variables.%s.key." $variable $variable) }}
{{- end }}
{{- include "postrider.refusals.address" (dict "at" "secrets.values" "variable" $variable "value" $value) }}
{{- end }}
{{- if and $variables.POSTRIDER_ROUTE.key $.Values.config.POSTRIDER_ROUTE }}
{{- fail "The mail route is set twice, by config.POSTRIDER_ROUTE and by the Secret (secrets.variables.POSTRIDER_ROUTE.key): set only one of the two. To send nothing temporarily, set dispatcher.config.POSTRIDER_ROUTE to mailbox:, which overrides the Secret." }}
{{- end }}
{{- range $variable, $reference := $variables }}
{{- if and $.Values.secrets.create $reference.key (not $reference.secret) (not (get $values $variable)) }}
{{- fail (printf "secrets.create would create a Secret without %s: set secrets.values.%s." $variable $variable) }}
{{- end }}
{{- end }}
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
{{- fail (printf "%s.%s must begin with %s." $.at $.variable (splitList " " . | join " or ")) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Refuses a program without a required variable, from any source. */}}
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
{{- fail (printf "%s requires %s: set %s, or add it to extraEnv." $name $variable (get $at $variable)) }}
{{- end }}
{{- end }}
{{- $login := pick $at "KAFKA_SASL" "KAFKA_USERNAME" "KAFKA_PASSWORD" }}
{{- range $variable, $where := $login }}
{{- range $other, $_ := $login }}
{{- if and (hasKey $given $other) (not (hasKey $given $variable)) }}
{{- fail (printf "%s has %s without %s: set %s, or add it to extraEnv." $name $other $variable $where) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
