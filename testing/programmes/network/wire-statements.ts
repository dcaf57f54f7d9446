/** What a client says to a PostgreSQL or a MariaDB, as far as statements can be told from outside. */

/** Parse: a name and the text. Bind: a portal, then the name. */
const parse = /P[^]{4}([\w]+)\0([^\0]+)\0/g
const bind = /B[^]{4}[^\0]*\0(\w+)\0/g

/** Hears one connection, and remembers the statements that were given a name. */
export class Listener {
  readonly #named = new Map<string, string>()

  /** The bytes as text, and after them the texts of the statements they call by name. */
  hear(bytes: Buffer): string {
    const said = bytes.toString('latin1')
    for (const [, name = '', text = ''] of said.matchAll(parse)) this.#named.set(name, text)
    const called = [...said.matchAll(bind)].map(([, name = '']) => this.#named.get(name) ?? '')
    return [said, ...called].join('\n')
  }
}
