/** Checks rules of a table that a run has moved. Of other tables the run itself checks them, and moves nothing that it cannot apply them to. */
import { type ColumnMask, operatorsOf, type RowCondition, type TableRules } from '@tributary/engine/ports/table-rules'
import { createRowFilter } from '@tributary/engine/table-rules/row-filter'
import type { StoredTable } from '../../access/dictionary/stored-structure.ts'
import { badField } from '../../kernel/http/api-fault.ts'

/**
 * @param structure the main table first; empty if it is not known
 * @param former the masks until now: the stored kind of such a column is that of its masked values
 * @throws ApiFault `badInput`
 */
export function checkRules(rules: TableRules, structure: readonly StoredTable[], former: readonly ColumnMask[]): void {
  for (const condition of rules.conditions) checkValues(condition)
  const names = rules.masks.map(({ table, column }) => JSON.stringify([table, column]))
  if (new Set(names).size < names.length) throw badField('masks', 'must name each column only once')
  const [main] = structure
  if (main === undefined) return
  for (const condition of rules.conditions) checkCondition(main, condition, former)
  for (const mask of rules.masks) checkMask(structure, mask, former)
}

const withoutValue: readonly RowCondition['operator'][] = ['isEmpty', 'isNotEmpty']
const withValues: readonly RowCondition['operator'][] = ['isOneOf', 'isNotOneOf']

function checkValues({ column, operator, values }: RowCondition): void {
  if (withoutValue.includes(operator)) {
    if (values.length > 0) throw badField('conditions', `must have no value for ${column} with this comparison`)
  } else if (values.length === 0) throw badField('conditions', `must have a value to compare ${column} with`)
  else if (values.length > 1 && !withValues.includes(operator))
    throw badField('conditions', `must have one value for ${column}; several need ‘is one of’ or ‘is not one of’`)
}

function checkCondition(main: StoredTable, condition: RowCondition, former: readonly ColumnMask[]): void {
  const column = main.columns.find(({ sourceName }) => sourceName === condition.column)
  if (column === undefined)
    throw badField(
      'conditions',
      `contains ${condition.column}, which is no column of ${main.sourceName}; choose another one`,
    )
  if (column.kind === undefined || isMasked(former, main.sourceName, condition.column)) return
  if (!operatorsOf[column.kind].includes(condition.operator))
    throw badField(
      'conditions',
      `compares ${condition.column} in a way that its type does not allow; choose another comparison`,
    )
  const type = column.kind === 'integer' ? ({ kind: 'integer', bytes: 8 } as const) : toType(column.kind)
  const table = { name: main.sourceName, columns: [{ name: condition.column, type, nullable: true }], key: [] }
  const refusal = createRowFilter(table, [condition])
  if (typeof refusal === 'string') throw badField('conditions', `cannot be applied: ${withoutFullStop(refusal)}`)
}

/** 'The filter of … cannot be applied: ‘ten’ is not a number. Correct the value.' without its beginning and its end. */
function withoutFullStop(sentence: string): string {
  return sentence.replace(/^[^:]*: /u, '').replace(/\.$/u, '')
}

type Kind = NonNullable<StoredTable['columns'][number]['kind']>

function toType(kind: Exclude<Kind, 'integer'>) {
  return kind === 'localTimestamp' || kind === 'instant' ? { kind, digits: 6 } : { kind }
}

function checkMask(
  structure: readonly StoredTable[],
  { table, column, method }: ColumnMask,
  former: readonly ColumnMask[],
) {
  const found = structure.find(({ sourceName }) => sourceName === table)
  const of = found?.columns.find(({ sourceName }) => sourceName === column)
  if (found === undefined || of === undefined)
    throw badField('masks', `contains ${table}.${column}, which is no column of this table; choose another one`)
  if (of.isKey || found.parentKey?.includes(of.name) === true)
    throw badField(
      'masks',
      `contains ${column}, which identifies rows of ${table} and so cannot be masked; take it off`,
    )
  const isText = of.kind === undefined || of.kind === 'text' || isMasked(former, table, column)
  if (method.kind === 'keepEnd' && !isText)
    throw badField('masks', `keeps the end of ${column}, which is not a text; hash it, or leave its values out`)
}

function isMasked(former: readonly ColumnMask[], table: string, column: string): boolean {
  return former.some((mask) => mask.table === table && mask.column === column)
}
