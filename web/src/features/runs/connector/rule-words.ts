/** Words of filters and masks. */
import type { MaskMethod, RowOperator, StreamRules } from '@tributary/contract/table-rules'
import type { ConditionBody } from './rules-api.ts'

export const operatorWords: Readonly<Record<RowOperator, string>> = {
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

export const methodWords: Readonly<Record<MaskMethod, string>> = {
  hash: 'Hash',
  clear: 'Leave out',
  keepEnd: 'Keep the end',
}

export function takesValue(operator: RowOperator): boolean {
  return operator !== 'isEmpty' && operator !== 'isNotEmpty'
}

export function takesSeveral(operator: RowOperator): boolean {
  return operator === 'isOneOf' || operator === 'isNotOneOf'
}

/** 'status is one of ‘open’, ‘paid’, and total is greater than ‘100’' */
export function describeConditions(conditions: readonly ConditionBody[]): string {
  return conditions
    .map(({ column, operator, values }) =>
      [column, operatorWords[operator], values.map((value) => `‘${value}’`).join(', ')]
        .filter((part) => part !== '')
        .join(' '),
    )
    .join(', and ')
}

export function describeMasks({ Masks, Tables }: Pick<StreamRules, 'Masks' | 'Tables'>): string {
  const [main] = Tables
  return Masks.map(({ Table, Column, Method, Characters }) => {
    const name = main === undefined || Table === main.Name ? Column : `${Table}.${Column}`
    const how = { hash: 'hashed', clear: 'left out', keepEnd: `last ${Characters ?? 0} characters` }[Method]
    return `${name} (${how})`
  }).join(', ')
}
