/** Values of the chart that tests render, by what they show. */
import type { ChartValues } from './render-chart.ts'

const required = {
  image: { repository: 'registry.example.com/tributary' },
  publicUrl: 'https://tributary.example.com',
  existingSecret: 'tributary',
}

export function workerScaledBy(by: 'cpu' | 'keda' | 'metric'): ChartValues {
  return { ...required, worker: { autoscaling: { enabled: true, by } } }
}

export const spreadStrictly: ChartValues = {
  ...required,
  web: { spread: { zones: 'None', nodes: 'None' } },
  worker: { spread: { zones: 'DoNotSchedule', nodes: 'None' } },
}

/** Every part of the chart is on. */
const everything: ChartValues = {
  ...required,
  imagePullSecrets: [{ name: 'registry' }],
  mailFrom: 'tributary@example.com',
  secretKeys: { TRIBUTARY_XERO_CLIENT_SECRET: 'xero-client-secret' },
  settings: { TRIBUTARY_KEEP_AUDIT: '800' },
  trustedProxies: ['10.244.0.0/16'],
  allowHosts: ['erp.internal:1433', '10.20.0.0/16'],
  web: {
    autoscaling: { enabled: true },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'portal', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    podAnnotations: { 'example.com/team': 'reports' },
  },
  worker: {
    autoscaling: {
      enabled: true,
      by: 'keda',
      minReplicas: 3,
      maxReplicas: 40,
      runMemoryMb: 1536,
      scaleDownSeconds: 600,
      keda: { secret: 'tributary-scaler', secretKey: 'database-url' },
    },
    spread: { zones: 'DoNotSchedule' },
  },
  service: { annotations: { 'example.com/note': 'internal' } },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tributary-tls' },
  networkPolicy: { from: [{ namespaceSelector: {} }], metricsFrom: [{ namespaceSelector: {} }] },
  metrics: { enabled: true },
  podMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
}

export const deployedValues: Readonly<Record<string, ChartValues>> = {
  'the fewest values': required,
  'all values': everything,
  'workers scaled by their processors': workerScaledBy('cpu'),
  'workers scaled by KEDA': workerScaledBy('keda'),
  'workers scaled by a metric': workerScaledBy('metric'),
  'pods spread over zones only': spreadStrictly,
  'no disruption budget and no migration': {
    ...required,
    podDisruptionBudget: { enabled: false },
    migration: { enabled: false },
    networkPolicy: { enabled: false },
  },
}
