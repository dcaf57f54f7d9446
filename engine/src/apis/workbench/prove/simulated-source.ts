/** What a simulation needs of a described source: the API that is made from it, and the rows that a target should have. */
import type { Stream } from '../../../ports/source.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import type { DescribedSettings } from '../../described/settings.ts'
import type { SimulatedService } from '../simulator/simulated-api.ts'
import type { SimulatedClock } from './simulated-clock.ts'

export interface SimulatedSource {
  /** Changed so that it reads the simulated API: without sign-in of people and without a pace. */
  readonly description: SourceDescription
  readonly clock: SimulatedClock
  readonly service: SimulatedService
  /** A column for members that no other column has. */
  readonly restColumn: string | undefined
  /** Records that the API has now. */
  count(): number
  /** Rows by table, as JSON of the texts by column. */
  expected(stream: Stream): ReadonlyMap<string, readonly string[]>
}

export interface SimulatedSourceOptions<Description extends SourceDescription> {
  readonly description: Description
  readonly stream: string
  readonly seed: number
  readonly lateMs: number
  readonly ties: boolean
  readonly deletes: boolean
}

export const recordsAtFirst = 40

const token = 'simulatedToken'

/** People cannot sign in at a simulation, and it need not be paced. */
export function withoutPeople<Description extends SourceDescription>(description: Description): Description {
  const { kind } = description.signIn
  const signIn =
    kind !== 'oauthCode' && kind !== 'oauthClient'
      ? {}
      : {
          signIn: { kind: 'bearer', token } as const,
          settings: { ...description.settings, [token]: { label: 'Token', kind: 'secret', required: true } as const },
        }
  return { ...description, ...signIn, pace: { calls: 100_000, seconds: 1, pauses: [1] } }
}

export function valuesOf({ settings }: Pick<SourceDescription, 'settings'>): Readonly<Record<string, string>> {
  const names = Object.entries(settings).filter(([, { kind }]) => kind !== 'list')
  return Object.fromEntries([
    ...names.map(([name]) => [name, `simulated-${name}`] as const),
    ['company', 'simulated-company'],
  ])
}

export function settingsOf(description: SourceDescription, base: URL): DescribedSettings {
  return { values: valuesOf(description), lists: {}, base }
}
