/** A shop whose rows and tables change randomly, in SQL that PostgreSQL and MariaDB both understand. */
import type { Random } from '@tributary/sims/random'
import type { DatabaseEnd } from './database-ends.ts'

export const liveTables = ['sale', 'line', 'visit'] as const

const changed = {
  postgres: '',
  mysql: ', changed TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)',
} as const
const notes = [`'plain'`, `'tab\tnewline\n'`, `'it''s 🦀'`, `''`, 'NULL'] as const
const additions = [
  `integer DEFAULT 7`,
  `varchar(20) DEFAULT 'added'`,
  `decimal(9,2) DEFAULT 1.50`,
  `varchar(40)`,
  `bigint NOT NULL DEFAULT -1`,
]

export class ChangingShop {
  readonly #end: DatabaseEnd
  readonly #random: Random
  #nextId = 1
  #additions = 0

  constructor(end: DatabaseEnd, random: Random) {
    this.#end = end
    this.#random = random
  }

  /** Creates two tables with keys and one without. */
  async open(): Promise<void> {
    const changedColumn = changed[this.#end.kind]
    await this.#end.run(
      `CREATE TABLE sale (id bigint PRIMARY KEY, version integer NOT NULL, amount decimal(12,3), note varchar(200)${changedColumn})`,
    )
    await this.#end.run(
      `CREATE TABLE line (sale bigint, place varchar(20), version integer NOT NULL${changedColumn}, PRIMARY KEY (sale, place))`,
    )
    await this.#end.run(`CREATE TABLE visit (page varchar(100), version integer NOT NULL)`)
    for (let rows = 0; rows < 40; rows++) await this.#insert()
  }

  /** Makes one random change. It is committed when the promise resolves. */
  change(): Promise<unknown> {
    const dice = this.#random.next()
    const sale = this.#random.between(1, this.#nextId)
    const step = this.#random.between(3, 19)
    if (dice < 0.4) return this.#insert()
    if (dice < 0.6)
      return this.#end.run(`UPDATE sale SET version = version + 1, note = ${this.#note()} WHERE id % ${step} = 1`)
    if (dice < 0.7) return this.#end.run(`UPDATE line SET version = version + 1 WHERE sale = ${sale}`)
    if (dice < 0.75) return this.#end.run(`UPDATE sale SET id = ${this.#take()} WHERE id = ${sale}`)
    if (dice < 0.85) return this.#end.run(`DELETE FROM sale WHERE id = ${sale}`)
    // Few rows, so that several deletes in one run stay below the guard that refuses to delete more than 30 %.
    if (dice < 0.9) return this.#end.run(`DELETE FROM line WHERE sale % ${step + 20} = 2`)
    if (dice < 0.985) return this.#end.run(`DELETE FROM visit WHERE version % ${step} = 0`)
    return this.addColumn()
  }

  addColumn(): Promise<unknown> {
    const table = this.#random.pick(liveTables)
    return this.#end.run(`ALTER TABLE ${table} ADD COLUMN added_${++this.#additions} ${this.#random.pick(additions)}`)
  }

  async #insert(): Promise<void> {
    const ids = Array.from({ length: this.#random.between(1, 60) }, () => this.#take())
    const amount = (): string => (this.#random.between(-9_999_999, 9_999_999) / 1_000).toFixed(3)
    await this.#end.run(
      `INSERT INTO sale (id, version, amount, note) VALUES ${ids.map((id) => `(${id}, 1, ${amount()}, ${this.#note()})`).join(', ')}`,
    )
    await this.#end.run(
      `INSERT INTO line (sale, place, version) VALUES ${ids.flatMap((id) => [`(${id}, 'a', 1)`, `(${id}, 'A ', 1)`]).join(', ')}`,
    )
    await this.#end.run(
      `INSERT INTO visit (page, version) VALUES ${ids.map((id) => `('page ${id % 5}', ${id})`).join(', ')}`,
    )
  }

  #take(): number {
    return this.#nextId++
  }

  #note(): string {
    return this.#random.pick(notes)
  }
}
