/** Extracts statements from the traffic of a PostgreSQL or MariaDB client. */

/** PostgreSQL messages. Parse holds a name and the text, Bind a portal and the name. */
const parse = /P[^]{4}([\w]+)\0([^\0]+)\0/g
const bind = /B[^]{4}[^\0]*\0(\w+)\0/g

/** Reads one connection and remembers its prepared statements. */
export class StatementReader {
  readonly #named = new Map<string, string>()

  /** Returns the bytes as text, followed by the texts of the prepared statements that they execute. */
  read(bytes: Buffer): string {
    const traffic = bytes.toString('latin1')
    for (const [, name = '', text = ''] of traffic.matchAll(parse)) this.#named.set(name, text)
    const called = [...traffic.matchAll(bind)].map(([, name = '']) => this.#named.get(name) ?? '')
    return [traffic, ...called].join('\n')
  }
}
