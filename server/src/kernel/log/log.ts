/**
 * Structured log: one line per event with its context. Only the fields declared here are written, and known secrets are
 * redacted.
 */
import { pino } from 'pino'
import { formatLogRecord } from './pretty-log-line.ts'
import { openLogOutput } from './log-output.ts'
import { currentLogContext } from '../telemetry/log-context.ts'

/** The fields of a log line. Never names or email addresses of people, bodies or query strings. */
export interface LogFields {
  readonly reference?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly ms?: number
  readonly code?: string
  readonly organisationId?: string | null
  readonly connectorId?: string
  readonly runId?: string
  readonly sessionId?: string
  readonly userId?: string
  readonly stream?: string
  readonly rows?: number
  readonly count?: number
  readonly host?: string
  readonly port?: number
  readonly traceId?: string
  /** Logged with class, code, number, message and stack, including those of its causes. */
  readonly error?: unknown
}

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  /** Redacts this text as `[secret]` from now on. Texts under six characters are ignored: they would match everywhere. */
  redactSecret(secret: string): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LogFormat {
  /** The role of the process, as in the configuration. */
  readonly role?: string
  /** `json`: one object per line, for log collectors; `text`: for people. */
  readonly form?: 'json' | 'text'
}

/** @param given receives complete lines; standard output by default */
export function openLog(level: LogLevel, given?: (line: string) => void, { role, form = 'json' }: LogFormat = {}): Log {
  const write =
    given ??
    createBufferedWriter((count) =>
      lines.warn({ count }, 'lines of the log were lost, because they could not be written'),
    )
  const redactor = createRedactor()
  const allowed = (fields: LogFields = {}) =>
    selectFields({ ...currentLogContext(), ...fields }, (text) => redactor.strike(text))
  const options = {
    level,
    base: role === undefined ? null : { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const lines = pino(options, { write: form === 'json' ? write : (line) => write(formatLogRecord(line)) })
  return {
    info: (event, fields) => lines.info(allowed(fields), event),
    warn: (event, fields) => lines.warn(allowed(fields), event),
    error: (event, fields) => lines.error(allowed(fields), event),
    redactSecret: (secret) => redactor.add(secret),
  }
}

/** Buffers lines until the next turn of the event loop. A crash loses at most the lines of the last turn. */
function createBufferedWriter(report: (linesLost: number) => void): (line: string) => void {
  const output = openLogOutput()
  let waiting = ''
  const flush = () => {
    output.write(waiting)
    waiting = ''
    const lost = output.takeLostCount()
    if (lost > 0) report(lost)
  }
  return (line) => {
    if (waiting === '') setImmediate(flush)
    waiting += line
  }
}

type RedactText = (text: string) => string

/** Values that the server generates: ids, patterns, numbers. */
const serverFields = [
  'reference',
  'method',
  'route',
  'status',
  'ms',
  'code',
  'organisationId',
  'connectorId',
  'runId',
  'sessionId',
  'userId',
  'rows',
  'count',
  'port',
  'traceId',
] as const satisfies readonly (keyof LogFields)[]
/** Values that a person typed, which may contain secrets. */
const userTextFields = ['stream', 'host'] as const satisfies readonly (keyof LogFields)[]

function selectFields(fields: LogFields, strike: RedactText): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of serverFields) if (fields[name] !== undefined) kept[name] = fields[name]
  for (const name of userTextFields) if (fields[name] !== undefined) kept[name] = strike(fields[name])
  if (fields.error !== undefined) kept['error'] = describe(fields.error, strike, 3)
  return kept
}

/** Not the error object itself: drivers attach queries, parameters and connection settings to theirs. */
function describe(error: unknown, strike: RedactText, depth: number): unknown {
  if (!(error instanceof Error)) return { message: typeof error }
  const { code } = error as { code?: unknown }
  const number = serverNumber(error)
  return {
    class: error.name,
    ...(typeof code === 'string' && { code }),
    ...(number !== undefined && { number }),
    message: strike(error.message),
    stack: strike(error.stack ?? '')
      .split('\n')
      .slice(1, 8)
      .map((line) => line.trim()),
    ...(error.cause !== undefined && depth > 0 && { cause: describe(error.cause, strike, depth - 1) }),
  }
}

/** The error number of MySQL (`errno`) and SQL Server (`number`), in addition to the driver's code. PostgreSQL's SQLSTATE is the code. */
function serverNumber(error: Error): number | undefined {
  const { errno, number } = error as { errno?: unknown; number?: unknown }
  return [number, errno].find((each): each is number => typeof each === 'number')
}

const shortestSecret = 6
const secretsMax = 20_000

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The most recent secrets of the process, each plain and as it is escaped in JSON and in JSON within JSON. */
function createRedactor() {
  const texts = new Set<string>()
  return {
    add(secret: string): void {
      if (secret.length < shortestSecret) return
      // Re-inserted, so that the oldest are dropped first.
      for (const text of [secret, escaped(secret), escaped(escaped(secret))]) {
        texts.delete(text)
        texts.add(text)
      }
      for (const oldest of texts) {
        if (texts.size <= secretsMax) break
        texts.delete(oldest)
      }
    },

    strike(text: string): string {
      let struck = text
      for (const secret of texts) if (struck.includes(secret)) struck = struck.replaceAll(secret, '[secret]')
      return struck
    },
  }
}
