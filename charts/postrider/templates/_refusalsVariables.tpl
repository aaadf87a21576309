{{/* Refuses values of variables that would make a program exit with code 2. Messages never contain a value. */}}
{{- define "postrider.refusals.variables" -}}
{{- range $name, $program := include "postrider.programs" . | fromJson }}
{{- range $variable := $program.variables }}
{{- $given := include "postrider.value" (dict "root" $ "name" $name "variable" $variable) | fromJson }}
{{- if $given.value }}
{{ include "postrider.refusals.variable" (dict "at" $given.at "variable" $variable "value" $given.value) }}
{{- end }}
{{- end }}
{{- with $program.memory.budget }}
{{- $budget := include "postrider.value" (dict "root" $ "name" $name "variable" .variable) | fromJson }}
{{- $largest := include "postrider.value" (dict "root" $ "name" $name "variable" .largest) | fromJson }}
{{- $mib := $largest.value | default .largestMiB }}
{{- if and $budget.value (lt (float64 $budget.value) (float64 $mib)) }}
{{ printf "%s is %s, but %s is %v: set it to %v or more, or remove it; the chart derives it from the memory limit.\n" $budget.at $budget.value .largest $mib $mib }}
{{- end }}
{{- end }}
{{- end }}
{{ include "postrider.refusals.ports" . }}
{{- end }}

{{/*
Refuses ports in variables that the network policy would not let through, unless the service has egress rules of its own.
*/}}
{{- define "postrider.refusals.ports" -}}
{{- $checks := list
  (dict "variable" "POSTRIDER_DNS" "names" (list "domains" "webhooks") "policy" "domainChecks" "has" "a server on port" "pattern" ":[1-9]\\d{0,4}\\s*(,|$)")
  (dict "variable" "POSTRIDER_ROUTE" "names" (list "dispatcher") "policy" "smtp" "has" "a relay on port" "pattern" ":[1-9]\\d{0,4}/?(\\?|$)")
  (dict "variable" "POSTRIDER_WEBHOOK_PORTS" "names" (list "webhooks") "policy" "webhooks" "has" "port" "pattern" "\\b[1-9]\\d{0,4}\\s*(,|$)")
}}
{{- if .Values.networkPolicy.enabled }}
{{- range $check := $checks }}
{{- $ports := (index $.Values.networkPolicy $check.policy).ports }}
{{- $found := dict }}
{{- range $name := $check.names }}
{{- $settings := include "postrider.settings" (dict "root" $ "name" $name) | fromJson }}
{{- if not $settings.extraEgress }}
{{- $given := include "postrider.value" (dict "root" $ "name" $name "variable" $check.variable) | fromJson }}
{{- $_ := set $found $given.at $given }}
{{- end }}
{{- end }}
{{- range $given := $found }}
{{- range regexFindAll $check.pattern $given.value -1 }}
{{- $port := regexFind "\\d+" . }}
{{- $isAllowed := false }}
{{- range $ports }}{{ if eq (int .) (atoi $port) }}{{ $isAllowed = true }}{{ end }}{{ end }}
{{- if not $isAllowed }}
{{ printf "%s has %s %s, which networkPolicy.%s.ports does not allow: add the port there.\n" $given.at $check.has $port $check.policy }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Where a service gets a variable from, as JSON: `at`, the path in the values, and `value`, empty if it is not set or comes from a
Secret. `isHidden`: `extraEnv` sets it from elsewhere.
*/}}
{{- define "postrider.value" -}}
{{- $variable := .variable }}
{{- $own := index .root.Values .name }}
{{- $found := dict "at" (printf "config.%s" $variable) "value" "" "isHidden" false }}
{{- range $at, $config := dict "1 config" .root.Values.config "2 defaults.config" .root.Values.defaults.config (printf "3 %s.config" .name) $own.config }}
{{- if and $config (hasKey $config $variable) }}
{{- $found = dict "at" (printf "%s.%s" (substr 2 -1 $at) $variable) "value" (include "postrider.plain" (get $config $variable)) "isHidden" false }}
{{- end }}
{{- end }}
{{- range $index, $one := $own.extraEnv | default .root.Values.defaults.extraEnv }}
{{- if eq (toString $one.name) $variable }}
{{- $from := ternary $.name "defaults" (not (empty $own.extraEnv)) }}
{{- $found = dict "at" (printf "%s.extraEnv[%d]" $from $index) "value" ($one.value | default "" | toString) "isHidden" (not $one.value) }}
{{- end }}
{{- end }}
{{- toJson $found }}
{{- end }}

{{- define "postrider.refusals.variable" -}}
{{- $value := trim .value }}
{{- /* A character of a user or a password in a URL. */}}
{{- $text := "([^:@/?#%\\[\\]\\s]|%[0-9a-fA-F]{2})" }}
{{- $parts := list }}
{{- range splitList "," $value }}
{{- if trim . }}{{ $parts = append $parts (trim .) }}{{ end }}
{{- end }}
{{- if eq .variable "POSTRIDER_SENDER" }}
{{- if not (include "postrider.isMailbox" $value) }}
{{ printf "%s is not an address such as \"Mail <mail@example.com>\": write one address, with ASCII characters before the @ and a domain after it.\n" .at }}
{{- end }}
{{- else if eq .variable "POSTRIDER_PUBLIC_URL" }}
{{- if not (include "postrider.isPublicUrl" $value) }}
{{ printf "%s must be http://host[:port] or https://host[:port], without path, query and login: set it to the URL that users open.\n" .at }}
{{- end }}
{{- else if eq .variable "POSTRIDER_TRUSTED_PROXIES" }}
{{- range $index, $part := $parts }}
{{- if not (include "postrider.isNetwork" $part) }}
{{ printf "%s must contain addresses or CIDRs, comma-separated, and number %d is neither: write, for example, 10.0.0.0/8, not a name.\n" $.at (add1 $index) }}
{{- end }}
{{- end }}
{{- else if eq .variable "POSTRIDER_REFUSED_HEADERS" }}
{{- range $index, $part := $parts }}
{{- if not (regexMatch "^[A-Za-z0-9][A-Za-z0-9_-]{0,75}$" $part) }}
{{ printf "%s must contain prefixes of header names, comma-separated, and number %d is not one: write, for example, x-relay-.\n" $.at (add1 $index) }}
{{- end }}
{{- end }}
{{- else if has .variable (list "KAFKA_BROKERS" "POSTRIDER_DNS") }}
{{- $isDns := eq .variable "POSTRIDER_DNS" }}
{{- range $index, $part := $parts | default (list "") }}
{{- $port := regexFind "\\d+$" $part | atoi }}
{{- if not (regexMatch "^(\\[[0-9a-fA-F:.]+\\]|[\\w.-]+):[1-9]\\d{0,4}$" $part) }}
{{ printf "%s must contain host:port, comma-separated, and number %d does not have this form: write, for example, %s.\n" $.at (add1 $index) (ternary "10.96.0.10:53" "kafka:9092" $isDns) }}
{{- else if and $isDns (gt $port 65535) }}
{{ printf "%s must have ports of 1 to 65535, and number %d does not: correct it.\n" $.at (add1 $index) }}
{{- end }}
{{- end }}
{{- else if eq .variable "POSTRIDER_BOUNCE_DOMAIN" }}
{{- if not (and (contains "." (trimSuffix "." $value)) (include "postrider.isDomain" $value)) }}
{{ printf "%s is not a domain: write, for example, bounces.example.com.\n" .at }}
{{- end }}
{{- else if eq .variable "POSTRIDER_ROUTE" }}
{{- if and (hasPrefix "smtp" $value) (not (regexMatch (printf "^smtps?://(%s+:%s+@)?([\\w.-]+|\\[[0-9a-fA-F:.]+\\])(:([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?/?(\\?tls=(required|unverified))?$" $text $text) $value)) }}
{{ printf "%s must be smtp://host:port or smtps://host:port, at most with ?tls=required or ?tls=unverified: correct it; in a login write '@', '/', '#' and '%%' as %%40, %%2F, %%23 and %%25.\n" .at }}
{{- end }}
{{- else if eq .variable "MONGODB_URL" }}
{{- if and (regexMatch "^mongodb(\\+srv)?://" $value) (not (regexMatch (printf "^[^:]+://(%s+(:%s*)?@)?([\\w.%%-]+|\\[[0-9a-fA-F:.]+\\])(:[1-9]\\d{0,4})?(,([\\w.%%-]+|\\[[0-9a-fA-F:.]+\\])(:[1-9]\\d{0,4})?)*(/[^@/?#]*)?(\\?[^#]*)?$" $text $text) $value)) }}
{{ printf "%s must be mongodb://user:password@host:27017/database: correct it; in user and password write '@', '/', '?', '#' and '%%' as %%40, %%2F, %%3F, %%23 and %%25.\n" .at }}
{{- end }}
{{- else if eq .variable "REDIS_URL" }}
{{- if and (regexMatch "^rediss?://" $value) (not (regexMatch (printf "^[^:]+://((%s|:)*@)?([\\w.-]*|\\[[0-9a-fA-F:.]+\\])(:[1-9]\\d{0,4})?(/\\d*)?(\\?[^#]*)?$" $text) $value)) }}
{{ printf "%s must be redis://:password@host:6379: correct it; in user and password write '@', '/', '?', '#' and '%%' as %%40, %%2F, %%3F, %%23 and %%25.\n" .at }}
{{- end }}
{{- else if hasPrefix "POSTRIDER_WIRE_TOKEN" .variable }}
{{- range $index, $part := splitList "," $value }}
{{- if not (regexMatch "^[!-~]{32,}$" (trim $part)) }}
{{ printf "%s must contain tokens of 32 characters or more without white space, separated by commas, and number %d is not one: create one with `openssl rand -hex 32`.\n" $.at (add1 $index) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The grammar of packages/mail/address.ts, apart from what only a table of characters can decide. */}}
{{- define "postrider.isMailbox" -}}
{{- $address := . }}
{{- $isNamed := true }}
{{- if hasSuffix ">" . }}
{{- $address = regexFind "<[^<]*>$" . | trimPrefix "<" | trimSuffix ">" }}
{{- $name := regexReplaceAll "<[^<]*>$" . "" | trim }}
{{- $isQuoted := regexMatch "^\"([^\"\\\\]|\\\\.)*\"$" $name }}
{{- $isNamed = or $isQuoted (not (regexMatch "[\",;<>()\\[\\]\\\\]|:( |$)" $name)) }}
{{- end }}
{{- $local := "[\\w!#$%&'*+/=?^\\x60{|}~-]+" }}
{{- $isLocal := regexMatch (printf "^%s(\\.%s)*@[^@]*$" $local $local) $address }}
{{- $isDomain := include "postrider.isDomain" (regexFind "[^@]*$" $address) }}
{{- if and $isNamed $isLocal $isDomain (le (len $address) 254) (le (len (regexFind "^[^@]*" $address)) 64) }}yes{{ end }}
{{- end }}

{{/* A domain name whose last label is not a number. */}}
{{- define "postrider.isDomain" -}}
{{- $label := "[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?" }}
{{- $isNumeric := regexMatch "(^|\\.)(\\d+|0x[0-9a-f]*)\\.?$" . }}
{{- if and (regexMatch (printf "^(%s\\.)*%s\\.?$" $label $label) .) (not $isNumeric) (le (len .) 254) }}yes{{ end }}
{{- end }}

{{- define "postrider.isPublicUrl" -}}
{{- $port := regexFind ":\\d+/?$" . | trimPrefix ":" | trimSuffix "/" | default "1" }}
{{- if and (regexMatch "^(?i)https?://([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\\.?|\\[[0-9a-f:.]+\\])(:\\d{1,5})?/?$" .) (le (atoi $port) 65535) }}yes{{ end }}
{{- end }}

{{/* An IP address or a CIDR, as in packages/domain/network.ts. */}}
{{- define "postrider.isNetwork" -}}
{{- $octet := "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)" }}
{{- $four := printf "%s(\\.%s){3}" $octet $octet }}
{{- $group := "[0-9a-fA-F]{1,4}" }}
{{- $some := printf "(%s(:%s){0,6})?" $group $group }}
{{- $address := regexReplaceAll "/\\d{1,3}$" . "" }}
{{- $bits := regexFind "/\\d{1,3}$" . | trimPrefix "/" | default "0" | atoi }}
{{- $groups := regexFindAll $group (regexReplaceAll (printf "%s$" $four) $address "0:0") -1 | len }}
{{- if regexMatch (printf "^%s$" $four) $address }}
{{- if le $bits 32 }}yes{{ end }}
{{- else if le $bits 128 }}
{{- $plain := regexReplaceAll (printf ":%s$" $four) $address ":0:0" }}
{{- if regexMatch (printf "^(%s:){7}%s$" $group $group) $plain }}yes
{{- else if and (regexMatch (printf "^%s::%s$" $some $some) $plain) (le $groups 7) }}yes{{ end }}
{{- end }}
{{- end }}
