/** Counts the row versions of a person in a target, by table and by mark. */
import type { PersonSearch, PersonVersions } from '@tributary/engine/ports/history'
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { ErasureSearch } from './history-erasures.ts'
import type { ShownMark } from './shown-marks.ts'

export interface CountedPerson {
  readonly tables: readonly (Omit<PersonVersions, 'at'> & { readonly stream: string })[]
  /** Rows that are current, in main tables. */
  readonly current: number
  /** Without marks that show none. */
  readonly marks: readonly { readonly mark: ShownMark; readonly versions: number }[]
}

/** At which only current row versions are valid. */
const lastMoment = '9999-12-31T00:00:00.000000Z'

export async function countPerson(
  target: Pick<OpenTarget, 'countPersonVersions'>,
  searches: readonly (PersonSearch & ErasureSearch)[],
  marks: readonly ShownMark[],
): Promise<CountedPerson> {
  const moments = [lastMoment, ...marks.map(({ moment }) => moment)]
  const counted: { readonly stream: string; readonly found: readonly PersonVersions[] }[] = []
  for (const search of searches)
    counted.push({ stream: search.stream, found: await target.countPersonVersions(search, moments) })
  const shownBy = (mark: ShownMark, index: number): number =>
    counted
      .filter(({ stream }) => mark.shows(stream))
      .flatMap(({ found }) => found)
      .reduce((sum, { at }) => sum + (at[index + 1] ?? 0), 0)
  return {
    tables: counted.flatMap(({ stream, found }) =>
      found.map(({ table, name, versions }) => ({ stream, table, name, versions })),
    ),
    current: counted.reduce((sum, { found }) => sum + (found[0]?.at[0] ?? 0), 0),
    marks: marks
      .map((mark, index) => ({ mark, versions: shownBy(mark, index) }))
      .filter(({ versions }) => versions > 0),
  }
}
