{{/* What the pods of all processes have in common. Each takes a dict: root, and the process's name. */}}

{{- define "parley.name" -}}
{{ printf "%s-%s" .root.Release.Name .process | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "parley.pod" -}}
automountServiceAccountToken: false
# Kubernetes would name each Service in the environment, where PARLEY_… are our settings.
enableServiceLinks: false
terminationGracePeriodSeconds: 60
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "parley.selector" . | nindent 8 }}
volumes:
  - name: data
    {{- if .root.Values.data.existingClaim }}
    persistentVolumeClaim: { claimName: {{ .root.Values.data.existingClaim }} }
    {{- else }}
    emptyDir: {}
    {{- end }}
  - name: tmp
    emptyDir: {}
{{- end }}

{{- define "parley.container" -}}
name: {{ .process }}
image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .root.Values.existingSecret }} }
  {{- $owner := and (eq .process "migrate") .root.Values.migration.existingSecret }}
  {{- if $owner }}
  - secretRef: { name: {{ $owner }} } # its DATABASE_URL counts, as the later one
  {{- end }}
env:
  {{- if $owner }}
  - { name: PARLEY_SERVING_ROLE, value: {{ .root.Values.migration.servingRole }} }
  {{- end }}
  - { name: PARLEY_PUBLIC_URL, value: {{ .root.Values.address | quote }} }
  - { name: PARLEY_DASHBOARD_URL, value: {{ .root.Values.address | quote }} }
  - { name: PARLEY_METRICS_ADDRESS, value: "0.0.0.0:9464" }
  - { name: PARLEY_LOG_FORMAT, value: json }
  - { name: PARLEY_PUBLIC_ALIASES, value: {{ include "parley.serviceAddress" .root | quote }} }
  {{- range $name, $value := .root.Values.settings }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
  {{- if eq .process "dashboard" }}
  - { name: PARLEY_DEPLOYMENTS, value: {{ include "parley.serviceAddress" .root | quote }} }
  - { name: FORWARDED_ALLOW_IPS, value: "*" }
  {{- end }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "parley.serviceAddress" -}}
http://{{ include "parley.name" (dict "root" . "process" "service") }}:8000
{{- end }}
