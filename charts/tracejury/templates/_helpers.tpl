{{- define "tracejury.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The release's name. If it does not contain the chart's name, the chart's name is appended. Short enough to append "-headless". */}}
{{- define "tracejury.fullname" -}}
{{- $name := include "tracejury.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tracejury.selectorLabels" -}}
app.kubernetes.io/name: {{ include "tracejury.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tracejury.labels" -}}
{{ include "tracejury.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "tracejury.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Name of the secret with the tokens; empty without authentication. */}}
{{- define "tracejury.authSecret" -}}
{{- with .Values.auth -}}
{{- if .existingSecret -}}
{{- if .open }}{{ fail "auth.existingSecret and auth.open exclude each other: set one of them" }}{{ end -}}
{{ .existingSecret }}
{{- else if .open -}}
{{- else if .generate -}}
{{ include "tracejury.fullname" $ }}
{{- else -}}
{{ fail "no authentication is configured: set auth.generate, auth.existingSecret or auth.open" }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "tracejury.specsConfigMap" -}}
{{- default (printf "%s-specs" (include "tracejury.fullname" .)) .Values.existingSpecsConfigMap -}}
{{- end -}}

{{/* Not empty if there are specs. Without specs, `specs` must not be set: a glob without files is an error. */}}
{{- define "tracejury.hasSpecs" -}}
{{- if or .Values.specs .Values.existingSpecsConfigMap }}yes{{ end -}}
{{- end -}}
