/** The users that make the calls. A user whose access a call removes is replaced by a new user with the same role. */
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
type MemberActor = keyof typeof roles
const strangers = ['visitor', 'expired', 'second factor pending'] as const
export type ActorName = MemberActor | (typeof strangers)[number]

/** Each actor as often as its share of the calls. */
export const weightedActors: readonly ActorName[] = [
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
  /** Ids of all users that have made calls, including replaced ones. */
  readonly ids = new Set<string>()

  constructor(app: TestApp) {
    this.#app = app
  }

  async prepare(): Promise<void> {
    await this.#replace('expired', 'admin')
    this.#app.clock.advance(accessTokenMs + 1_000)
    const { id } = await this.#replace('second factor pending', 'admin')
    // Across organisations, because a user row belongs to none.
    await this.#app.store.across((db) =>
      db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', id).execute(),
    )
    for (const name of Object.keys(roles) as MemberActor[]) await this.#replace(name, roles[name])
    // The server caches the state of a session for a few seconds.
    this.#app.clock.advance(6_000)
  }

  organisationOf(name: ActorName): string {
    return name === 'foreign admin' ? this.#app.summit.id : this.#app.harbour.id
  }

  idOf(name: ActorName): string | undefined {
    return this.#people.get(name)?.id
  }

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

  /** Signs in again, as a new user if that is no longer possible. */
  async signInAgain(name: ActorName): Promise<void> {
    const role = roles[name as MemberActor]
    if (role === undefined) return
    try {
      await this.#signIn(name)
    } catch {
      // While a second factor is required of all users, a new user cannot sign in either and acts as a visitor.
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
    if (session?.accessToken === undefined) throw new Error(`${name} needs a second factor.`)
    this.#tokens.set(name, session.accessToken)
  }
}
