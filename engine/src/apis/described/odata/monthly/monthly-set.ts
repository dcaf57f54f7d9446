/** An entity set whose rows are figures of a month: its table has a row for each month, and the rows of the set are its lines. */
import { balanceMember, linesMember, monthMember } from '../../months/read-by-month.ts'
import type { EdmProperty } from '../metadata/edmx.ts'

const plain = { isList: false, maxLength: null, precision: null, scale: null, parts: [] } as const

interface SetProperties {
  readonly properties: readonly EdmProperty[]
  readonly relatedLists: readonly EdmProperty[]
  readonly declaredKey: readonly string[]
}

/** @param leftOut properties without a column */
export function monthlySet(
  set: Pick<SetProperties, 'properties' | 'declaredKey'>,
  leftOut: ReadonlySet<string>,
  hasBalances: boolean,
): SetProperties {
  const balance: EdmProperty[] = hasBalances
    ? [{ ...plain, name: balanceMember, type: 'Edm.String', maxLength: 5 }]
    : []
  const parts = [...balance, ...set.properties.filter(({ name }) => !leftOut.has(name))]
  const key = [...balance.map(({ name }) => name), ...set.declaredKey]
  return {
    properties: [
      { ...plain, name: monthMember, type: 'Edm.Date' },
      {
        ...plain,
        name: linesMember,
        type: 'nested',
        isList: true,
        parts,
        key: set.declaredKey.length === 0 ? [] : key,
      },
    ],
    relatedLists: [],
    declaredKey: [monthMember],
  }
}
