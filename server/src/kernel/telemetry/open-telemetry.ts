/** Opens metrics and traces as configured. Modules of unused parts are not loaded. */
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { noMetrics, type Metrics } from './metrics.ts'
import { noTracing, type Tracing } from './tracing.ts'

export interface Telemetry {
  readonly metrics: Metrics
  readonly tracing: Tracing
}

export const noTelemetry: Telemetry = { metrics: noMetrics, tracing: noTracing }

export async function openTelemetry(
  { metricsPort, metricsToken, role, tracing }: Config,
  log: Log,
): Promise<Telemetry> {
  const isCounted = metricsPort !== null || metricsToken !== null
  return {
    metrics: isCounted ? (await import('./prometheus-metrics.ts')).openMetrics() : noMetrics,
    tracing: tracing === null ? noTracing : (await import('./otlp-traces.ts')).openTracing(tracing, role, log),
  }
}
