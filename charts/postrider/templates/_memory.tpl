{{/* A Kubernetes quantity as a number: CPU in cores, memory in bytes. */}}
{{- define "postrider.amount" -}}
{{- if kindIs "string" . }}
{{- $number := regexFind "^[0-9.]+" . | default "0" }}
{{- $factors := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 }}
{{- mulf (float64 $number) (float64 (get $factors (trimPrefix $number .) | default 1)) }}
{{- else }}
{{- float64 . | printf "%f" }}
{{- end }}
{{- end }}

{{/*
Memory of the service `name` as JSON: `limitMiB`, 0 without a limit; `leastMiB`, the limit that it needs, and `why`; for a service with a
`budget` also `budgetMiB`, the one that fits its limit. The numbers are in files/services.json, from charts/gen/memory.ts; the
formula is in docs/operations/scale.md.
*/}}
{{- define "postrider.memory" -}}
{{- $settings := include "postrider.settings" . | fromJson }}
{{- $memory := (index (include "postrider.programs" .root | fromJson) .name).memory }}
{{- $limit := divf (include "postrider.amount" (dig "limits" "memory" 0 $settings.resources) | float64) 1048576 }}
{{- $need := dict "limitMiB" (floor $limit) "leastMiB" $memory.baseMiB "why" "" "isGiven" false }}
{{- with $memory.budget }}
{{- $largest := include "postrider.value" (dict "root" $.root "name" $.name "variable" .largest) | fromJson }}
{{- $given := include "postrider.value" (dict "root" $.root "name" $.name "variable" .variable) | fromJson }}
{{- $largestMiB := $largest.value | default .largestMiB | float64 }}
{{- $leastBudget := ceil (mulf $largestMiB .perLargest) }}
{{- $free := floor (divf (subf $limit $memory.baseMiB) .perMiB) }}
{{- $budget := ternary (minf .defaultMiB $free) .defaultMiB (gt $limit 0.0) | maxf $leastBudget }}
{{- $why := printf " for %s=%v" .largest $largestMiB }}
{{- if $given.value }}
{{- $budget = $given.value | float64 | ceil }}
{{- $leastBudget = $budget }}
{{- $why = printf " for %s=%s" .variable $given.value }}
{{- end }}
{{- $isGiven := or $given.isHidden (not (empty $given.value)) }}
{{- $least := add $memory.baseMiB (mul .perMiB $leastBudget) }}
{{- $need = merge (dict "budget" . "budgetMiB" $budget "isGiven" $isGiven "leastMiB" $least "why" $why) $need }}
{{- end }}
{{- toJson $need }}
{{- end }}

{{/* Refuses memory limits that are too low for the configured sizes: the kernel would kill the service. */}}
{{- define "postrider.refusals.memory" -}}
{{- range $name, $_ := include "postrider.programs" . | fromJson }}
{{- $need := include "postrider.memory" (dict "root" $ "name" $name) | fromJson }}
{{- if and (gt (float64 $need.limitMiB) 0.0) (lt (float64 $need.limitMiB) (float64 $need.leastMiB)) }}
{{ printf "%s.resources.limits.memory is %vMi, and the program needs %vMi%s: raise the limit%s.\n" $name $need.limitMiB $need.leastMiB $need.why (ternary ", or lower that variable" "" (contains "POSTRIDER_" $need.why)) }}
{{- end }}
{{- end }}
{{- end }}
