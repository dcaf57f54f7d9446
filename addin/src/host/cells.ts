/** Cells as Excel tells them, as the contract has them. */
import { customFormat } from '@tributary/contract/excel-number-formats'
import type { Cell } from '@tributary/contract/cells'
import { serialDate } from '@tributary/contract/excel-dates'

/** Of a range, row by row: what Excel calls values, the kinds of them, and the formats that say which numbers are dates. */
export interface Values {
  readonly values: readonly (readonly unknown[])[]
  readonly valueTypes: readonly (readonly string[])[]
  readonly numberFormat: readonly (readonly unknown[])[]
}

export function cellsOf({ values, valueTypes, numberFormat }: Values, is1904: boolean): Cell[][] {
  const formats = new Map<string, ReturnType<typeof customFormat>>()
  const formatOf = (code: string) => {
    const known = formats.get(code) ?? customFormat(code)
    formats.set(code, known)
    return known
  }
  return values.map((row, at) =>
    row.map((value, column): Cell => {
      if (value === '' || value === null || value === undefined) return null
      if (valueTypes[at]?.[column] === 'Error') return { e: String(value).slice(0, errorMax) }
      if (typeof value === 'boolean') return value
      // The shortest digits that mean the same double: all that the sheet holds.
      if (typeof value === 'number')
        return serialDate(String(value), formatOf(String(numberFormat[at]?.[column] ?? '')), is1904)
      return String(value)
    }),
  )
}

const errorMax = 50
