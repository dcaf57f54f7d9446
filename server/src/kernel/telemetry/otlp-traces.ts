/** Traces with the OpenTelemetry SDK, sent with OTLP over HTTP. Loaded only if a collector is configured. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from '../config/telemetry-settings.ts'
import type { Log } from '../log/log.ts'
import { currentLogContext, withLogContext } from './log-context.ts'
import type { OpenSpan, SpanOptions, Tracing } from './tracing.ts'

/** How long a stopping process waits for the collector. */
const closeTimeoutMs = 2_000
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

export function openTracing(settings: TracingSettings, role: string, log: Log): Tracing {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': settings.serviceName, 'tributary.role': role })),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: withOutageReports(new OTLPTraceExporter(settings.exporter), log) }),
    ],
  })
  const tracer = provider.getTracer('tributary')
  return {
    begin(name, { kind, attributes = {}, parent }: SpanOptions = {}): OpenSpan {
      const around = (currentLogContext().span as Context | undefined) ?? parentContextOf(parent)
      const span = tracer.startSpan(name, { attributes, ...(kind !== undefined && { kind: kinds[kind] }) }, around)
      const context = trace.setSpan(around, span)
      const { traceId } = span.spanContext()
      return {
        traceId,
        within: (work) => withLogContext({ span: context, traceId }, work),
        add: (more) => void span.setAttributes(more),
        end(failure) {
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
          span.end()
        },
      }
    },
    // The exporter has already logged what it could not deliver.
    close: () =>
      Promise.race([provider.shutdown().catch(() => undefined), sleep(closeTimeoutMs, undefined, { ref: false })]),
  }
}

/** Parses the W3C header `traceparent`: version, trace, span, flags. */
function parentContextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/u.exec(parent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const name = sampler.replace('parentbased_', '') as keyof typeof roots
  return sampler === name ? roots[name]() : new ParentBasedSampler({ root: roots[name]() })
}

/** Logs an unreachable collector once, not with every batch. */
function withOutageReports(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !isFailing)
          log.warn('traces cannot be delivered to the collector', { error: result.error })
        isFailing = result.code !== 0
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
