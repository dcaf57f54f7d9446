/** How the chart scales and spreads pods, read from the objects that its templates render without Helm. */
import { describe, expect, test } from 'vitest'
import { deployedValues, spreadStrictly, workerScaledBy } from './deployed-values.ts'
import { type ChartValues, type KubernetesObject, renderChart } from './render-chart.ts'

const scaledByWork = renderChart(workerScaledBy('keda'))

function getObject(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name)
  if (found === undefined) throw new Error(`The chart renders no ${kind} ${name}.`)
  return found
}

describe('the workers of the chart', () => {
  test('[SCALE-5] KEDA asks the store for the memory that runs need, and adds a worker for each share of it', () => {
    const { spec } = getObject(scaledByWork, 'ScaledObject', 'tributary-worker')
    expect(spec).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'tributary-worker' },
      minReplicaCount: 2,
      maxReplicaCount: 6,
      triggers: [
        {
          type: 'postgresql',
          metricType: 'AverageValue',
          metadata: { query: 'SELECT tributary_needed_memory_mb()', targetQueryValue: '1024' },
          authenticationRef: { name: 'tributary-worker' },
        },
      ],
    })
    const { secretTargetRef } = getObject(scaledByWork, 'TriggerAuthentication', 'tributary-worker').spec
    expect(secretTargetRef).toEqual([{ parameter: 'connection', name: 'tributary', key: 'scaler-database-url' }])
  })

  test.each(['keda', 'metric'] as const)(
    '[SCALE-5] scaled by %s, each worker takes runs of as much memory as the autoscaler counts for it',
    (by) => {
      const memoryOf = (role: string) =>
        (
          getObject(renderChart(workerScaledBy(by)), 'Deployment', `tributary-${role}`).spec.template.spec.containers[0]
            .env as readonly { readonly name: string; readonly value?: string }[]
        )
          .filter(({ name }) => name === 'TRIBUTARY_RUN_MEMORY_MB')
          .map(({ value }) => value)
      expect({ worker: memoryOf('worker'), web: memoryOf('web') }).toEqual({ worker: ['1024'], web: [] })
    },
  )

  test('[SCALE-5] without KEDA, the autoscaler of Kubernetes divides the same need by what one worker offers', () => {
    const { spec } = getObject(renderChart(workerScaledBy('metric')), 'HorizontalPodAutoscaler', 'tributary-worker')
    expect(spec.metrics).toEqual([
      {
        type: 'External',
        external: {
          metric: { name: 'tributary_needed_memory_bytes' },
          target: { type: 'AverageValue', averageValue: '1024Mi' },
        },
      },
    ])
  })

  test.each(['keda', 'metric'] as const)(
    '[SCALE-5] scaled by %s, workers go one by one, and only after their work was not needed for minutes',
    (by) => {
      const objects = renderChart(workerScaledBy(by))
      const { spec } = objects.find(({ kind }) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(kind)) ?? {}
      const { scaleDown } = (spec.advanced?.horizontalPodAutoscalerConfig ?? spec).behavior
      expect(scaleDown).toEqual({
        stabilizationWindowSeconds: 300,
        policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }],
      })
    },
  )

  test.each(Object.keys(deployedValues))(
    '[SCALE-5] with %s, one object at most sets the number of pods of a deployment',
    (title) => {
      const objects = renderChart(deployedValues[title] ?? {})
      const scaled = objects
        .filter(({ kind }) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(kind))
        .map(({ spec }) => spec.scaleTargetRef.name as string)
      const fixed = objects
        .filter(({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined)
        .map(({ metadata: { name } }) => name)
      expect([...scaled, ...fixed].toSorted()).toEqual(['tributary-web', 'tributary-worker'])
    },
  )
})

describe('the pods of the chart', () => {
  test('[SCALE-5] pods of one version of a role are spread over zones and nodes, as far as possible', () => {
    for (const role of ['web', 'worker']) {
      const template = getObject(scaledByWork, 'Deployment', `tributary-${role}`).spec.template
      const constraints = template.spec.topologySpreadConstraints
      expect(constraints.map((one: { topologyKey: string }) => one.topologyKey).toSorted()).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ])
      for (const constraint of constraints) {
        expect(constraint).toMatchObject({
          maxSkew: 1,
          whenUnsatisfiable: 'ScheduleAnyway',
          matchLabelKeys: ['pod-template-hash'],
        })
        expect(template.metadata.labels).toMatchObject(constraint.labelSelector.matchLabels)
      }
    }
  })

  test('[SCALE-5] an operator requires the spread over zones, or switches a spread off', () => {
    const objects = renderChart(spreadStrictly)
    expect(
      getObject(objects, 'Deployment', 'tributary-worker').spec.template.spec.topologySpreadConstraints,
    ).toMatchObject([{ topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' }])
    expect(getObject(objects, 'Deployment', 'tributary-web').spec.template.spec).not.toHaveProperty(
      'topologySpreadConstraints',
    )
  })

  test('[SCALE-5] a drain of nodes stops one pod of a role at a time', () => {
    for (const role of ['web', 'worker']) {
      const { spec } = getObject(scaledByWork, 'PodDisruptionBudget', `tributary-${role}`)
      const { labels } = getObject(scaledByWork, 'Deployment', `tributary-${role}`).spec.template.metadata
      expect(spec.maxUnavailable).toBe(1)
      expect(labels).toMatchObject(spec.selector.matchLabels)
    }
  })

  test.each<[string, ChartValues]>([
    ['image.repository', { ...workerScaledBy('cpu'), image: { repository: '' } }],
    ['publicUrl', { ...workerScaledBy('cpu'), publicUrl: '' }],
    ['existingSecret', { ...workerScaledBy('cpu'), existingSecret: '' }],
    ['metrics.enabled', { ...workerScaledBy('cpu'), podMonitor: { enabled: true } }],
  ])('without %s the chart is refused, and the message names it', (name, values) => {
    expect(() => renderChart(values)).toThrow(name)
  })
})
