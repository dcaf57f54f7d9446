/** What the server tells those who watch over it. */
import { choice, optionalText, optionalWhole, readAll, text, whole, type Given, type ValuesOf } from './setting.ts'

export const watchingSettings = {
  /** Null: there is no port for figures. */
  metricsPort: optionalWhole('TRIBUTARY_METRICS_PORT', {
    min: 0,
    max: 65_535,
    example: '9464',
    meaning:
      'Answers `GET /metrics` at a port of its own, to whoever reaches it. Without it and the token there are no metrics.',
  }),
  metricsHost: text('TRIBUTARY_METRICS_HOST', { initial: '127.0.0.1', meaning: 'The address that port listens at.' }),
  /** Null: none are given at the main port. */
  metricsToken: {
    ...optionalText('TRIBUTARY_METRICS_TOKEN', {
      secret: 'whole',
      example: 'the output of: openssl rand -hex 32',
      meaning: 'Answers `GET /metrics` at the main port, too, to callers with `Authorization: Bearer` and this token.',
    }),
    parse(given: string | undefined, problems: string[]): string | null {
      if (given !== undefined && given.length < 16)
        problems.push('TRIBUTARY_METRICS_TOKEN must have at least 16 characters. Make one with: openssl rand -hex 32')
      return given ?? null
    },
  },
  /** Of so many connectors the freshness is told one by one. */
  metricsConnectors: whole('TRIBUTARY_METRICS_CONNECTORS', {
    initial: '50',
    min: 0,
    max: 2_000,
    meaning: 'Of how many connectors, those that wait longest first, the freshness is told one by one.',
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

/** By their names in the OpenTelemetry standard. */
export const tracingSettings = {
  endpoint: optionalText('OTEL_EXPORTER_OTLP_ENDPOINT', {
    example: 'http://collector:4318',
    meaning: 'Sends traces there by OTLP over HTTP. Without it and the next there are none.',
  }),
  tracesEndpoint: optionalText('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', {
    example: 'http://collector:4318/v1/traces',
    meaning: 'The whole address for traces, instead of the former.',
  }),
  headers: optionalText('OTEL_EXPORTER_OTLP_HEADERS', {
    secret: 'whole',
    example: 'authorization=Bearer%20token',
    meaning: 'Headers that the collector wants to see, such as a token: `name=value`, percent-encoded, between commas.',
  }),
  serviceName: text('OTEL_SERVICE_NAME', { initial: 'tributary', meaning: 'The name that traces carry.' }),
  sampler: choice('OTEL_TRACES_SAMPLER', samplers, {
    initial: 'parentbased_always_on',
    meaning: 'Which traces are kept; those named `parentbased` do as the caller does who is already traced.',
  }),
  ratio: {
    ...text('OTEL_TRACES_SAMPLER_ARG', {
      initial: '1',
      meaning: 'Of `traceidratio`: the share that is kept, from 0 to 1.',
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

/** Null: nothing is traced. */
export function readTracing(given: Given): TracingSettings | null {
  const { endpoint, tracesEndpoint, headers, ...others } = readAll(tracingSettings, given)
  const url = tracesEndpoint ?? (endpoint === null ? null : `${endpoint.replace(/\/$/u, '')}/v1/traces`)
  if (url === null || given.env['OTEL_SDK_DISABLED'] === 'true') return null
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? ''))
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
