/** A line of the log as people read it at a console. */

interface DescribedError {
  readonly code?: string
  readonly number?: number
  readonly message: string
  readonly stack?: readonly string[]
  readonly cause?: DescribedError
}

interface Entry {
  readonly time: string
  readonly level: string
  readonly msg: string
  readonly error?: DescribedError
  readonly [field: string]: unknown
}

/** @param line of JSON. `12:34:56 warn  the event  field=value`, and below it the error, where it came from, and its causes. */
export function readable(line: string): string {
  const { time, level, msg, error, role: _, ...fields } = JSON.parse(line) as Entry
  const named = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const head = [time.slice(11, 19), level.padEnd(5), msg, ...named].join(' ')
  const below = error === undefined ? [] : describe(error)
  return [head, ...below.map((text) => `    ${text.replaceAll('\n', ' ')}`), ''].join('\n')
}

/** The message with the code and number of whoever gave it: a database's own words are among the causes. */
function describe({ code, number, message, stack = [], cause }: DescribedError): readonly string[] {
  const codes = [code, number].filter((each) => each !== undefined).join(', ')
  const causes = cause === undefined ? [] : describe(cause)
  return [
    codes === '' ? message : `${message} (${codes})`,
    ...stack,
    ...causes.map((text, at) => (at === 0 ? `caused by: ${text}` : text)),
  ]
}
