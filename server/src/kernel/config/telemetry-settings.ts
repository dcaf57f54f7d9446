/** Settings of metrics and traces. */
import {
  choice,
  isHttpAddress,
  optionalText,
  optionalWholeNumber,
  readSettings,
  text,
  wholeNumber,
  type SettingInput,
  type ValuesOf,
} from './setting.ts'

export const monitoringSettings = {
  /** Null: no separate metrics port. */
  metricsPort: optionalWholeNumber('TRIBUTARY_METRICS_PORT', {
    min: 0,
    max: 65_535,
    example: '9464',
    meaning:
      'A separate port that serves `GET /metrics` without authentication. Without this port and the token there are no metrics.',
  }),
  metricsHost: text('TRIBUTARY_METRICS_HOST', { initial: '127.0.0.1', meaning: 'The address that port listens on.' }),
  /** Null: no metrics on the main port. */
  metricsToken: {
    ...optionalText('TRIBUTARY_METRICS_TOKEN', {
      secret: 'whole',
      example: 'the output of: openssl rand -hex 32',
      meaning: 'Serves `GET /metrics` on the main port, too, to callers with `Authorization: Bearer` and this token.',
    }),
    parse(given: string | undefined, problems: string[]): string | null {
      if (given !== undefined && given.length < 16)
        problems.push('TRIBUTARY_METRICS_TOKEN must have at least 16 characters. Make one with: openssl rand -hex 32')
      return given ?? null
    },
  },
  /** How many connectors have their own freshness gauge. */
  metricsConnectors: wholeNumber('TRIBUTARY_METRICS_CONNECTORS', {
    initial: '50',
    min: 0,
    max: 2_000,
    meaning: 'How many connectors have their own freshness gauge; the ones that have waited longest come first.',
  }),
}

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** The names are those of the OpenTelemetry specification. */
export const tracingSettings = {
  endpoint: optionalText('OTEL_EXPORTER_OTLP_ENDPOINT', {
    example: 'http://collector:4318',
    meaning: 'Sends traces to this address with OTLP over HTTP. Without this and the next setting, tracing is off.',
  }),
  tracesEndpoint: optionalText('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
    example: 'http://collector:4318/v1/traces',
    meaning: 'The full address for traces; overrides the previous setting.',
  }),
  headers: optionalText('OTEL_EXPORTER_OTLP_HEADERS', {
    secret: 'whole',
    example: 'authorization=Bearer%20token',
    meaning:
      'Headers that the collector requires, such as a token: `name=value`, percent-encoded, separated by commas.',
  }),
  serviceName: text('OTEL_SERVICE_NAME', { initial: 'tributary', meaning: 'The name that traces carry.' }),
  sampler: choice('OTEL_TRACES_SAMPLER', samplers, {
    initial: 'parentbased_always_on',
    meaning: 'The sampler. The `parentbased` ones follow the decision of the caller’s trace.',
  }),
  ratio: {
    ...text('OTEL_TRACES_SAMPLER_ARG', {
      initial: '1',
      meaning: 'For `traceidratio`: the share of traces that is kept, from 0 to 1.',
    }),
    parse(given = '', problems: string[]): number {
      const share = given === '' ? Number.NaN : Number(given)
      if (!(share >= 0 && share <= 1)) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
      return share
    },
  },
}

export interface TracingSettings extends Pick<ValuesOf<typeof tracingSettings>, 'sampler' | 'ratio' | 'serviceName'> {
  readonly exporter: { readonly url: string; readonly headers: Record<string, string> }
}

/** Returns null if tracing is off. */
export function readTracing(given: SettingInput): TracingSettings | null {
  const { endpoint, tracesEndpoint, headers, ...others } = readSettings(tracingSettings, given)
  const url = tracesEndpoint ?? (endpoint === null ? null : `${endpoint.replace(/\/$/u, '')}/v1/traces`)
  if (url === null || given.env['OTEL_SDK_DISABLED'] === 'true') return null
  if (!isHttpAddress(url))
    given.problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be a whole address, such as http://collector:4318.')
  return { ...others, exporter: { url, headers: headersOf(headers ?? '', given.problems) } }
}

function headersOf(listed: string, problems: string[]): Record<string, string> {
  const pairs = listed.split(',').filter((pair) => pair.trim() !== '')
  const entries = pairs.map((pair) => {
    const [name = '', value] = pair.split(/=(.*)/su).map((part) => part.trim())
    return [name, decoded(value)] as const
  })
  const isWhole = entries.every(([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/u.test(name) && value !== undefined)
  if (!isWhole) problems.push('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs between commas, percent-encoded.')
  return Object.fromEntries(entries.map(([name, value = '']) => [name, value]))
}

function decoded(value: string | undefined): string | undefined {
  try {
    return value === undefined ? undefined : decodeURIComponent(value)
  } catch {
    return undefined
  }
}
