/**
 * One line an event, and on whose behalf it happened. Only the fields named here are ever written, and known secrets are
 * struck out.
 */
import { pino } from 'pino'
import { readable } from './pretty-log-line.ts'
import { openLogOutput } from './log-output.ts'
import { currentScene } from '../telemetry/log-context.ts'

/** What may stand in a log line. Names and e-mail addresses of people, bodies and query strings may not. */
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
  /** Its class, code, number, message and stack are written, and those of its causes. */
  readonly error?: unknown
}

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  /** From now on this text is written as `[secret]`. Shorter than six characters it would deface every line, and is left. */
  conceal(secret: string): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LogDress {
  /** What the process does, as the configuration names it. */
  readonly role?: string
  /** `json`: an object a line, for a collector; `text`: for people. */
  readonly form?: 'json' | 'text'
}

/** @param given takes whole lines; the standard output by default. */
export function openLog(level: LogLevel, given?: (line: string) => void, { role, form = 'json' }: LogDress = {}): Log {
  const write =
    given ??
    writeSoon((count) => lines.warn({ count }, 'lines of the log were lost, because they could not be written'))
  const concealed = new Concealed()
  const allowed = (fields: LogFields = {}) => choose({ ...currentScene(), ...fields }, (text) => concealed.strike(text))
  const options = {
    level,
    base: role === undefined ? null : { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const lines = pino(options, { write: form === 'json' ? write : (line) => write(readable(line)) })
  return {
    info: (event, fields) => lines.info(allowed(fields), event),
    warn: (event, fields) => lines.warn(allowed(fields), event),
    error: (event, fields) => lines.error(allowed(fields), event),
    conceal: (secret) => concealed.add(secret),
  }
}

/** A busy server writes once a turn of the event loop instead of once a line; a crash loses the lines of its last turn at most. */
function writeSoon(report: (linesLost: number) => void): (line: string) => void {
  const output = openLogOutput()
  let waiting = ''
  const flush = () => {
    output.write(waiting)
    waiting = ''
    const lost = output.takeLost()
    if (lost > 0) report(lost)
  }
  return (line) => {
    if (waiting === '') setImmediate(flush)
    waiting += line
  }
}

type Strike = (text: string) => string

/** What the server makes itself: ids, patterns, numbers. */
const ours = [
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
/** What somebody typed. */
const theirs = ['stream', 'host'] as const satisfies readonly (keyof LogFields)[]

function choose(fields: LogFields, strike: Strike): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of ours) if (fields[name] !== undefined) kept[name] = fields[name]
  for (const name of theirs) if (fields[name] !== undefined) kept[name] = strike(fields[name])
  if (fields.error !== undefined) kept['error'] = describe(fields.error, strike, 3)
  return kept
}

/** Not the error object itself: drivers hang queries, parameters and connection settings on theirs. */
function describe(error: unknown, strike: Strike, depth: number): unknown {
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

/** What MySQL (`errno`) and SQL Server (`number`) call an error, beside the driver's own code; PostgreSQL's SQLSTATE is the code itself. */
function serverNumber(error: Error): number | undefined {
  const { errno, number } = error as { errno?: unknown; number?: unknown }
  return [number, errno].find((each): each is number => typeof each === 'number')
}

const shortestSecret = 6
const secretsMax = 20_000

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The latest secrets of the process, each as it is and as it reads inside JSON, were it JSON within JSON. */
class Concealed {
  readonly #texts = new Set<string>()

  add(secret: string): void {
    if (secret.length < shortestSecret) return
    for (const text of [secret, escaped(secret), escaped(escaped(secret))]) {
      this.#texts.delete(text)
      this.#texts.add(text)
    }
    for (const oldest of this.#texts) {
      if (this.#texts.size <= secretsMax) break
      this.#texts.delete(oldest)
    }
  }

  strike(text: string): string {
    let struck = text
    for (const secret of this.#texts) if (struck.includes(secret)) struck = struck.replaceAll(secret, '[secret]')
    return struck
  }
}
