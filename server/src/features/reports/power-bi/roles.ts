/**
 * The role that limits people to the rows that the portal grants them, by the tables of rights that table
 * synchronisation writes next to the version tables.
 */
import { rightTables, rowRightView } from '../../../planning/tables/planned-tables.ts'
import { daxColumn, daxTable, daxText } from './names.ts'
import type { ModelTable, SemanticModel } from './semantic-model.ts'
import type { TmdlObject } from './tmdl.ts'

export const roleName = 'Rights of the portal'

/**
 * Undefined if the tables of rights are not among the tables. A member of the role sees nothing of a version or helper
 * table without rights to it; tables of connectors are not limited by person.
 */
export function portalRole({ tables }: SemanticModel): TmdlObject | undefined {
  const rights = tables.filter(({ source }) => source.purpose === 'rights')
  if (rights.length === 0) return undefined
  const filters = tables.flatMap((table) => {
    const filter = filterOf(table, rights)
    return filter === undefined ? [] : [{ kind: 'tablePermission', name: table.name, value: { expression: filter } }]
  })
  return {
    kind: 'role',
    name: roleName,
    description:
      'Shows each person the rows that the portal grants to their email address, as of the latest synchronisation of tables.',
    properties: [['modelPermission', 'read']],
    children: filters,
  }
}

const user = 'USERPRINCIPALNAME()'

/** A version or helper table without a table of rights to compare with stays empty for members of the role. */
function filterOf(table: ModelTable, rights: readonly ModelTable[]): string | undefined {
  const { source, name } = table
  const find = (right: string) =>
    rights.find((each) => each.source.schema === source.schema && each.source.name === right)
  if (source.purpose === 'rights') return `${daxColumn(name, 'Email')} = ${user}`
  if (source.purpose === 'version') {
    const right = find(rowRightView)
    const matched = ['Entity', 'Area', 'Subarea', 'Milestone']
    return right === undefined ? 'FALSE()' : contains(right, table, matched)
  }
  if (source.purpose === 'helperTable') {
    const right = find(rightTables.helperTables.table.name)
    return right === undefined ? 'FALSE()' : contains(right, table, [])
  }
  return undefined
}

/** https://learn.microsoft.com/dax/contains-function-dax */
function contains(right: ModelTable, table: ModelTable, matched: readonly string[]): string {
  const pairs = [
    `${daxColumn(right.name, 'Email')}, ${user}`,
    `${daxColumn(right.name, 'TableName')}, ${daxText(table.source.name)}`,
    ...matched.map((column) => `${daxColumn(right.name, column)}, ${daxColumn(table.name, column)}`),
  ]
  return `CONTAINS(${[daxTable(right.name), ...pairs].join(', ')})`
}
