/** Formats a JSON log line for the console. */

interface LoggedError {
  readonly code?: string
  readonly number?: number
  readonly message: string
  readonly stack?: readonly string[]
  readonly cause?: LoggedError
}

interface LogRecord {
  readonly time: string
  readonly level: string
  readonly msg: string
  readonly error?: LoggedError
  readonly [field: string]: unknown
}

/** @param line one JSON log line. Returns `12:34:56 warn  the event  field=value`, followed by the error, its stack and its causes. */
export function formatLogRecord(line: string): string {
  const { time, level, msg, error, role: _, ...fields } = JSON.parse(line) as LogRecord
  const named = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const head = [time.slice(11, 19), level.padEnd(5), msg, ...named].join(' ')
  const below = error === undefined ? [] : describe(error)
  return [head, ...below.map((text) => `    ${text.replaceAll('\n', ' ')}`), ''].join('\n')
}

/** The message with its code and number, so that the database's own error is among the causes. */
function describe({ code, number, message, stack = [], cause }: LoggedError): readonly string[] {
  const codes = [code, number].filter((each) => each !== undefined).join(', ')
  const causes = cause === undefined ? [] : describe(cause)
  return [
    codes === '' ? message : `${message} (${codes})`,
    ...stack,
    ...causes.map((text, at) => (at === 0 ? `caused by: ${text}` : text)),
  ]
}
