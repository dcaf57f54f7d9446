/** A line of the log as people read it at a console. */

interface Entry {
  readonly time: string
  readonly level: string
  readonly msg: string
  readonly error?: { readonly message: string; readonly stack?: readonly string[] }
  readonly [field: string]: unknown
}

/** @param line of JSON. `12:34:56 warn  the event  field=value`, and below it where an error came from. */
export function readable(line: string): string {
  const { time, level, msg, error, role: _, ...fields } = JSON.parse(line) as Entry
  const named = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const head = [time.slice(11, 19), level.padEnd(5), msg, ...named].join(' ')
  const below = error === undefined ? [] : [error.message, ...(error.stack ?? [])]
  return [head, ...below.map((text) => `    ${text.replaceAll('\n', ' ')}`), ''].join('\n')
}
