{{- define "tributary.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tributary.labels" -}}
{{ include "tributary.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tributary.image" -}}
{{- $repository := required "image.repository is missing: where the image is, such as registry.example.com/tributary." .Values.image.repository -}}
{{- if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}{{ else }}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{- define "tributary.publicUrl" -}}
{{- required "publicUrl is missing: the https address that people open, such as https://tributary.example.com." .Values.publicUrl -}}
{{- end }}

{{- define "tributary.host" -}}
{{- (urlParse (include "tributary.publicUrl" .)).hostname -}}
{{- end }}

{{/* Environment variables of every container. Takes a dict of root and role. */}}
{{- define "tributary.environment" -}}
{{- $root := .root -}}
- { name: TRIBUTARY_MODE, value: production }
- { name: TRIBUTARY_ROLE, value: {{ .role }} }
- { name: PORT, value: '3000' }
- { name: TRIBUTARY_PUBLIC_URL, value: {{ include "tributary.publicUrl" $root | quote }} }
{{- with $root.Values.mailFrom }}
- { name: TRIBUTARY_MAIL_FROM, value: {{ . | quote }} }
{{- end }}
{{- with $root.Values.trustedProxies }}
- { name: TRIBUTARY_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
{{- with $root.Values.allowHosts }}
- { name: TRIBUTARY_ALLOW_HOSTS, value: {{ join "," . | quote }} }
{{- end }}
{{- if and $root.Values.metrics.enabled (ne .role "all") }}
- { name: TRIBUTARY_METRICS_PORT, value: {{ $root.Values.metrics.port | quote }} }
- { name: TRIBUTARY_METRICS_HOST, value: 0.0.0.0 }
{{- end }}
{{- $scaling := $root.Values.worker.autoscaling }}
{{- if and (eq .role "worker") $scaling.enabled (ne $scaling.by "cpu") }}
# What a worker takes must be what the autoscaler counts for it.
- { name: TRIBUTARY_RUN_MEMORY_MB, value: {{ $scaling.runMemoryMb | quote }} }
{{- end }}
- { name: DATABASE_URL_FILE, value: /secrets/database-url }
- { name: TRIBUTARY_MASTER_KEY_FILE, value: /secrets/master-key }
- { name: TRIBUTARY_SMTP_URL_FILE, value: /secrets/smtp-url }
{{- range $variable, $key := $root.Values.secretKeys }}
- { name: {{ $variable }}_FILE, value: /secrets/{{ $key }} }
{{- end }}
{{- range $variable, $value := $root.Values.settings }}
- { name: {{ $variable }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* The pod spec that all pods share, without containers. */}}
{{- define "tributary.pod" -}}
automountServiceAccountToken: false
# For a service named tributary-metrics, Kubernetes would set TRIBUTARY_METRICS_PORT to its address.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  # Secrets are owned by root and readable by this group.
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets
    secret:
      secretName: {{ required "existingSecret is missing: the secret with database-url, master-key and smtp-url." .Values.existingSecret }}
      defaultMode: 0440
  - name: temporary
    emptyDir: { sizeLimit: {{ .Values.temporarySize }} }
{{- end }}

{{- define "tributary.container" -}}
image: {{ include "tributary.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /secrets, readOnly: true }
  - { name: temporary, mountPath: /tmp }
{{- end }}

{{/* Spreads the pods of one version of a role. Takes a dict of root and role. */}}
{{- define "tributary.spread" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $own := index $root.Values $role -}}
{{- if or (ne $own.spread.zones "None") (ne $own.spread.nodes "None") -}}
topologySpreadConstraints:
{{- range $key, $place := dict "topology.kubernetes.io/zone" $own.spread.zones "kubernetes.io/hostname" $own.spread.nodes }}
{{- if ne $place "None" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $place }}
    labelSelector:
      matchLabels:
        {{- include "tributary.selector" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
    # Without this label, the pods of the previous version would count during an upgrade.
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* How fast workers come and go. A worker that stops hands its runs over, so they go one by one. Takes the autoscaling of a role. */}}
{{- define "tributary.behavior" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies:
    - { type: Percent, value: 100, periodSeconds: 60 }
    - { type: Pods, value: 2, periodSeconds: 60 }
  selectPolicy: Max
scaleDown:
  stabilizationWindowSeconds: {{ .scaleDownSeconds }}
  policies:
    - { type: Pods, value: 1, periodSeconds: 60 }
{{- end }}
