/** Who makes the calls. Whoever loses their way in, by a call of the programme, is replaced by somebody of the same role. */
import { accessTokenMs } from '@tributary/contract/limits'
import type { RoleName } from '@tributary/contract/capabilities'
import { addPerson, type AddedPerson } from '../../server/identity/add-person.ts'
import type { TestApp } from '../../server/app/test-app.ts'

const roles = {
  superadmin: 'superadmin',
  admin: 'admin',
  user: 'user',
  guest: 'guest',
  'foreign admin': 'admin',
} as const satisfies Record<string, RoleName>
type Member = keyof typeof roles
const strangers = ['visitor', 'expired', 'second factor pending'] as const
export type ActorName = Member | (typeof strangers)[number]

/** How often each speaks. */
export const turns: readonly ActorName[] = [
  ...Array<ActorName>(7).fill('superadmin'),
  ...Array<ActorName>(8).fill('admin'),
  ...Array<ActorName>(3).fill('user'),
  ...Array<ActorName>(2).fill('guest'),
  ...Array<ActorName>(3).fill('foreign admin'),
  ...Array<ActorName>(2).fill('visitor'),
  'expired',
  'second factor pending',
]

export class Actors {
  readonly #app: TestApp
  readonly #people = new Map<ActorName, AddedPerson>()
  readonly #tokens = new Map<ActorName, string>()
  /** Everybody who has spoken so far. */
  readonly ids = new Set<string>()

  constructor(app: TestApp) {
    this.#app = app
  }

  async prepare(): Promise<void> {
    await this.#replace('expired', 'admin')
    this.#app.clock.advance(accessTokenMs + 1_000)
    const { id } = await this.#replace('second factor pending', 'admin')
    // Across: a person belongs to no organisation.
    await this.#app.store.across((db) =>
      db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', id).execute(),
    )
    for (const name of Object.keys(roles) as Member[]) await this.#replace(name, roles[name])
    // What a session was found to be is believed for a few seconds.
    this.#app.clock.advance(6_000)
  }

  organisationOf(name: ActorName): string {
    return name === 'foreign admin' ? this.#app.summit.id : this.#app.harbour.id
  }

  idOf(name: ActorName): string | undefined {
    return this.#people.get(name)?.id
  }

  /** What goes along with a call. */
  headersOf(name: ActorName): Record<string, string> {
    const token = this.#tokens.get(name)
    return token === undefined ? {} : { authorization: `Bearer ${token}` }
  }

  cookiesOf(name: ActorName): string {
    const jar = this.#people.get(name)?.client.cookies ?? new Map<string, string>()
    return [...jar].map(([key, value]) => `${key}=${value}`).join('; ')
  }

  isStranger(name: ActorName): boolean {
    return strangers.some((one) => one === name)
  }

  /** Signs in anew, as somebody else where that is no longer possible. */
  async revive(name: ActorName): Promise<void> {
    const role = roles[name as Member]
    if (role === undefined) return
    try {
      await this.#signIn(name)
    } catch {
      // While everybody is asked for a second factor nobody new gets in, either: they are a visitor until that is over.
      await this.#replace(name, role).catch(() => this.#tokens.delete(name))
    }
  }

  async #replace(name: ActorName, role: RoleName): Promise<AddedPerson> {
    const person = await addPerson(this.#app, { [this.organisationOf(name)]: role })
    this.ids.add(person.id)
    this.#people.set(name, person)
    await this.#signIn(name)
    return person
  }

  async #signIn(name: ActorName): Promise<void> {
    const session = await this.#people.get(name)?.client.signIn()
    if (session?.accessToken === undefined) throw new Error(`${name} is asked for a second factor.`)
    this.#tokens.set(name, session.accessToken)
  }
}
