/** Starts the collection of metrics, if they are enabled. */
import type { AppServices } from './app-services.ts'
import { openMetricsPort } from './kernel/telemetry/metrics-port.ts'
import { noMetrics } from './kernel/telemetry/metrics.ts'
import { watchProcess } from './kernel/telemetry/process-gauges.ts'
import { createStoreGaugeReader } from './connections/connectors/store-gauges.ts'

type StartMetricsServices = Pick<AppServices, 'clock' | 'config' | 'lifecycle' | 'metrics' | 'store'>

/** Opens the metrics port if one is configured. Returns a stop function. */
export async function startMetrics({
  config,
  clock,
  lifecycle,
  metrics,
  store,
}: StartMetricsServices): Promise<() => Promise<void>> {
  if (metrics === noMetrics) return async () => undefined
  metrics.addGauges(watchProcess())
  metrics.addGauges(createStoreGaugeReader({ store, clock, connectorsMax: config.metricsConnectors }))
  metrics.addGauges(() => [{ name: 'tributary_draining', value: lifecycle.isStopping ? 1 : 0 }])
  if (config.metricsPort === null) return async () => undefined
  const port = await openMetricsPort(metrics, config.metricsHost, config.metricsPort)
  return () => port.close()
}
