/** Rules of a connector for the rows and values of its tables: which rows are moved, and which columns are hashed or masked. */
import type { LogicalType } from './model.ts'

const rowOperators = [
  'is',
  'isNot',
  'isOneOf',
  'isNotOneOf',
  'isLess',
  'isAtMost',
  'isGreater',
  'isAtLeast',
  'startsWith',
  'contains',
  'isEmpty',
  'isNotEmpty',
] as const
export type RowOperator = (typeof rowOperators)[number]

/** A condition on a column of the main table, by its name in the source. */
export interface RowCondition {
  readonly column: string
  readonly operator: RowOperator
  /** One value; several for `isOneOf` and `isNotOneOf`; empty for `isEmpty` and `isNotEmpty`. */
  readonly values: readonly string[]
}

/**
 * `hash`: a keyed hash as text, equal for equal values. `clear`: no value. `keepEnd`: all but the last characters of a text are replaced.
 */
export type MaskMethod =
  | { readonly kind: 'hash' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'keepEnd'; readonly characters: number }

export interface ColumnMask {
  /** The main table or a child, by its name in the source. The name of the stream stands for its main table. */
  readonly table: string
  readonly column: string
  readonly method: MaskMethod
}

/** The mask with the name of its table, where it has that of the stream: before the first run no other name is known. */
export function withTableName(mask: ColumnMask, stream: string, mainTable: string): ColumnMask {
  return mask.table === stream ? { ...mask, table: mainTable } : mask
}

export interface TableRules {
  /** All conditions hold together. Empty: every row is moved. */
  readonly conditions: readonly RowCondition[]
  readonly masks: readonly ColumnMask[]
}

const ordered: readonly RowOperator[] = ['isLess', 'isAtMost', 'isGreater', 'isAtLeast']
const equality: readonly RowOperator[] = ['is', 'isNot', 'isOneOf', 'isNotOneOf']
const emptiness: readonly RowOperator[] = ['isEmpty', 'isNotEmpty']
const numbers = [...equality, ...ordered, ...emptiness]

/** The operators that a type of column allows. */
export const operatorsOf: { readonly [kind in LogicalType['kind']]: readonly RowOperator[] } = {
  text: [...equality, ...ordered, 'startsWith', 'contains', ...emptiness],
  integer: numbers,
  decimal: numbers,
  double: numbers,
  boolean: ['is', 'isNot', ...emptiness],
  date: numbers,
  time: numbers,
  localTimestamp: numbers,
  instant: numbers,
  guid: [...equality, ...emptiness],
  json: emptiness,
  bytes: emptiness,
}

const words: { readonly [operator in RowOperator]: string } = {
  is: 'is',
  isNot: 'is not',
  isOneOf: 'is one of',
  isNotOneOf: 'is not one of',
  isLess: 'is less than',
  isAtMost: 'is at most',
  isGreater: 'is greater than',
  isAtLeast: 'is at least',
  startsWith: 'starts with',
  contains: 'contains',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
}

/** 'status is one of ‘open’, ‘paid’, and total is greater than ‘100’'. */
export function describeConditions(conditions: readonly RowCondition[]): string {
  return conditions
    .map(({ column, operator, values }) =>
      [column, words[operator], values.map((value) => `‘${value}’`).join(', ')].filter((part) => part !== '').join(' '),
    )
    .join(', and ')
}

/** How values of the column arrive, for its description. */
export function describeMask(method: MaskMethod): string {
  switch (method.kind) {
    case 'hash':
      return 'Hashed: a keyed hash takes the place of each value. Equal values have equal hashes.'
    case 'clear':
      return 'Masked: its values are not moved.'
    case 'keepEnd':
      return `Masked: only the last ${method.characters === 1 ? 'character of each value is' : `${method.characters} characters of each value are`} moved.`
  }
}
