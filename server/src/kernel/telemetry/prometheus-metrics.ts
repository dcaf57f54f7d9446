/** Metrics with the OpenTelemetry SDK, in Prometheus's text format. Loaded only if metrics are enabled. */
import { ValueType, type Attributes, type HrTime, type Meter } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  AggregationType,
  DataPointType,
  MeterProvider,
  type GaugeMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import { gauges, type GaugeValue, type Metrics, type GaugeReader } from './metrics.ts'

const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const runBuckets = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 4 * 3_600, 12 * 3_600]
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const resource = resourceFromAttributes({})

export function openMetrics(): Metrics {
  const readers: GaugeReader[] = []
  const exporter = new PrometheusExporter({ preventServerStart: true, metricProducers: [gaugeProducer(readers)] })
  const serializer = new PrometheusSerializer('', false, undefined, true, true)
  const meter = new MeterProvider({
    resource,
    readers: [exporter],
    views: [
      buckets('http_request_duration_seconds', callBuckets),
      buckets('tributary_run_duration_seconds', runBuckets),
    ],
  }).getMeter('tributary')
  const { calls, runs, durations, rows, verifications, verifiedRows, refreshes, mails, unchecked } =
    createInstruments(meter)

  return {
    recordCall({ route, method, status, ms }) {
      const known = methods.has(method) ? method : 'other'
      calls.record(ms / 1_000, { route, method: known, status: `${Math.floor(status / 100)}xx` })
    },
    recordRunEnd({ type, result, ms }) {
      runs.add(1, { type, result })
      if (ms !== undefined) durations.record(ms / 1_000, { type, result })
    },
    wrote(type, changes) {
      for (const [change, count] of Object.entries(changes)) if (count > 0) rows.add(count, { type, change })
    },
    recordVerification({ type, outcome, rows: compared }) {
      verifications.add(1, { type, outcome })
      verifiedRows.add(compared, { type })
    },
    refreshFailed: (type) => refreshes.add(1, { type }),
    mailFailed: (result) => mails.add(1, { result: result.replace(' ', '_') }),
    recordUncheckedPassword: () => unchecked.add(1),
    addGauges: (read) => void readers.push(read),
    async text() {
      const { resourceMetrics } = await exporter.collect()
      return serializer.serialize(resourceMetrics)
    },
  }
}

function createInstruments(meter: Meter) {
  const about = (description: string) => ({ description })
  return {
    calls: meter.createHistogram(
      'http_request_duration_seconds',
      about('Calls answered, by route, method and class of status.'),
    ),
    runs: meter.createCounter(
      'tributary_runs_total',
      about('Runs that a worker has let go of, by type of connector and result.'),
    ),
    durations: meter.createHistogram(
      'tributary_run_duration_seconds',
      about('How long a worker was at a run, by type and result.'),
    ),
    rows: meter.createCounter(
      'tributary_rows_written_total',
      about('Rows that changed in a target, by type of connector and change.'),
    ),
    verifications: meter.createCounter(
      'tributary_verifications_total',
      about('Tables that were compared with their source, by type of connector and outcome.'),
    ),
    verifiedRows: meter.createCounter(
      'tributary_verified_rows_total',
      about('Rows that were compared with their source, by type of connector.'),
    ),
    refreshes: meter.createCounter(
      'tributary_oauth_refresh_failures_total',
      about('Sign-ins at a source that were not renewed.'),
    ),
    mails: meter.createCounter(
      'tributary_mail_failures_total',
      about('Mails that could not be sent, and what became of them.'),
    ),
    unchecked: meter.createCounter(
      'tributary_passwords_unchecked_total',
      about('New passwords that could not be looked for among the breached ones.'),
    ),
  }
}

function buckets(instrumentName: string, boundaries: number[]) {
  return {
    instrumentName,
    aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM as const, options: { boundaries } },
  }
}

/** Produces the gauges at each scrape: a gauge of the SDK would keep reporting deleted connectors. */
function gaugeProducer(readers: readonly GaugeReader[]): MetricProducer {
  return {
    async collect() {
      const read = await Promise.allSettled(readers.map(async (one) => one()))
      const values = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      const names = [...new Set(values.map(({ name }) => name))]
      const metrics = names.map((name) =>
        gaugeOf(
          name,
          values.filter((one) => one.name === name),
        ),
      )
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'tributary' }, metrics }] }, errors: [] }
    },
  }
}

function gaugeOf(name: keyof typeof gauges, values: readonly GaugeValue[]): GaugeMetricData {
  const now: HrTime = [Math.floor(Date.now() / 1_000), 0]
  const point = ({ value, labels = {} }: GaugeValue) => ({
    startTime: now,
    endTime: now,
    attributes: labels as Attributes,
    value,
  })
  return {
    descriptor: { name, description: gauges[name], unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: values.map(point),
  }
}
